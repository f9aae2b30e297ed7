// The tables of clients with the most refusals, and of clients nearest their limit. Callers known only by their address
// or login have a separate table, so that a scan from many addresses does not hide customers.

import { byId, drawIfChanged, element, setClass, setText, usage } from './elements.js';
import { amount, callerName, callerText, countdown, limitText, moment, number, percent, rate } from './format.js';
import { LiveTable } from './live-table.js';
import { ALLOWED, REFUSED, WOULD_REFUSE } from './model.js';

const FEW_REFUSED = 6;
const FEW_ADDRESSES = 4;
const FEW_NEAREST = 15;

/** The button with a client's name. It opens the client's details. */
function nameButton(row, open) {
  const button = element('button', 'plain name', callerName(row.client));
  button.type = 'button';
  button.title = callerText(row.client);
  button.addEventListener('click', () => open(row.client));
  return button;
}

function rowHead(...children) {
  const head = element('th', '', ...children);
  head.scope = 'row';
  return head;
}

const resetText = (model, { resetAt }) =>
  resetAt > model.now() ? `in ${countdown(resetAt - model.now())}` : 'has reset';

/** The row of a refused client, with the limit, the number of refusals, and when they started and ended. */
class RefusedRow {
  constructor(client, open) {
    this.client = client;
    this.sub = element('span', 'sub narrow');
    this.place = element('td', 'roomy');
    this.limit = element('td', 'roomy');
    this.refused = element('td', 'number');
    this.rate = element('td', 'number roomy');
    this.since = element('td', '');
    this.until = element('td', 'roomy');
    this.resets = element('td', 'number roomy');
    this.state = element('span', 'sub narrow');
    this.sinceText = element('span', '');
    this.since.append(this.sinceText, this.state);
    this.element = element('tr', '', rowHead(nameButton(this, open), this.sub), this.place, this.limit, this.refused,
      this.rate, this.since, this.until, this.resets);
  }

  show(model, client) {
    this.client = client;
    const { endpoint } = client;
    const kind = model.all(client, REFUSED) > 0 ? REFUSED : WOULD_REFUSE;
    const isDry = kind === WOULD_REFUSE;
    const [latest] = client.refusals;
    const { tier, limit } = latest ?? client;
    const place = `${endpoint}, tier ${tier}`;
    const text = limitText(limit, model.unit(endpoint));
    const { since, until, isOver } = model.episode(client);
    const now = model.now();
    const state = isOver ? moment(until, now) : isDry ? 'still over' : 'still refused';
    setText(this.sub, `${place}: ${text}`);
    drawIfChanged(this.place, [place, isDry], () =>
      this.place.replaceChildren(place, ...(isDry ? [' ', element('span', 'tag', 'dry run')] : [])));
    setText(this.limit, text);
    setText(this.refused, number(model.all(client, kind)));
    setText(this.rate, rate(model.rateOf(client, kind)));
    setText(this.sinceText, since > 0 ? moment(since, now) : 'not refused');
    setText(this.state, since === 0 ? '' : isOver ? `until ${state}` : state);
    setText(this.until, since === 0 ? '' : state);
    setText(this.resets, tier === client.tier ? resetText(model, client) : 'has reset');
    const style = isOver ? '' : isDry ? 'count-warn' : 'count-bad';
    setClass(this.refused, `number ${style}`);
    setClass(this.until, `roomy ${style}`);
    setClass(this.state, `sub narrow ${style}`);
  }
}

/** The row of a client, with the used part of its limit. */
class NearRow {
  constructor(client, open) {
    this.client = client;
    this.narrow = element('span', 'sub narrow');
    this.endpoint = element('td', 'roomy', client.endpoint);
    this.usage = usage();
    this.limit = element('td', 'roomy');
    this.resets = element('td', 'number');
    this.allowed = element('td', 'number roomy');
    this.refused = element('td', 'number');
    this.element = element('tr', '', rowHead(nameButton(this, open), this.narrow), this.endpoint,
      element('td', '', this.usage.element), this.limit, this.resets, this.allowed, this.refused);
  }

  show(model, client) {
    this.client = client;
    const part = model.part(client);
    const unit = model.unit(client.endpoint);
    const limit = limitText(client.limit, unit);
    setText(this.narrow, `${client.endpoint}, ${limit}`);
    this.usage.show(part, percent(part), `Used by ${callerText(client)} at ${client.endpoint}`);
    this.usage.element.title = `${number(model.used(client))} of ${amount(client.capacity, unit)}`;
    setText(this.limit, limit);
    setText(this.resets, resetText(model, client));
    setText(this.allowed, number(model.minute(client, ALLOWED)));
    showRefused(this.refused, model.minute(client, REFUSED), model.minute(client, WOULD_REFUSE));
  }
}

/** The number of refusals. If there are none, this is the number of calls that a dry run would have refused. */
export function showRefused(cell, refused, would) {
  const isDry = would > 0 && refused === 0;
  const text = number(isDry ? would : refused);
  drawIfChanged(cell, [text, isDry], () =>
    cell.replaceChildren(...(isDry ? [element('span', 'tag roomy', 'dry run'), ' '] : []), text));
  setClass(cell, `number${refused > 0 ? ' count-bad' : isDry ? ' count-warn' : ''}`);
}

/**
 * Orders clients: first those that are still being refused, then by the number of refusals. Dry runs come last, because
 * they refuse nobody.
 */
function mostRefused(model, clients) {
  return clients
    .map(client => {
      const refused = model.all(client, REFUSED);
      const calls = refused > 0 ? refused : model.all(client, WOULD_REFUSE);
      const rank = (refused > 0 ? 2 : 0) + (model.episode(client).isOver ? 0 : 1);
      return { client, matters: calls > 0, rank, calls };
    })
    .filter(({ matters }) => matters)
    .sort((a, b) => b.rank - a.rank || b.calls - a.calls || a.client.id - b.client.id);
}

/** Orders clients: first those with refusals in the same order, then those nearest their limit. */
function refusedOrNear(model, clients) {
  const refused = mostRefused(model, clients);
  const known = new Set(refused.map(({ client }) => client.id));
  return [...refused, ...nearest(model, clients.filter(client => !known.has(client.id)))
    .map(one => ({ ...one, matters: false }))];
}

function nearest(model, clients) {
  const weight = client => model.minute(client, REFUSED) + model.minute(client, WOULD_REFUSE);
  return clients
    .map(client => ({
      client, matters: model.isActive(client), part: Math.min(1, model.part(client)), refused: weight(client),
    }))
    .sort((a, b) => b.part - a.part || b.refused - a.refused || a.client.id - b.client.id);
}

export class Clients {
  constructor(open) {
    const refusedRow = client => new RefusedRow(client, open);
    this.refused = new LiveTable('refused', {
      few: FEW_REFUSED,
      row: refusedRow,
      sorted: mostRefused,
      moreText: count => `Show all ${count} refused clients`,
      fewText: 'Show only those refused most',
    });
    this.addresses = new LiveTable('addresses', {
      few: FEW_ADDRESSES,
      row: refusedRow,
      sorted: refusedOrNear,
      moreText: count => `Show all ${count} addresses and logins`,
      fewText: 'Show only those refused most',
    });
    this.nearest = new LiveTable('clients', {
      few: FEW_NEAREST,
      row: client => new NearRow(client, open),
      sorted: nearest,
      moreText: count => `Show all ${count} clients of the last fifteen minutes`,
      fewText: 'Show only those nearest their limit',
    });
  }

  /** Draws these clients. They can be filtered. */
  draw(model, clients, isFiltered, chosenAnew) {
    const customers = clients.filter(client => !client.address);
    const addresses = clients.filter(client => client.address);
    const isRefused = client => model.all(client, REFUSED) + model.all(client, WOULD_REFUSE) > 0;
    const matching = isFiltered ? ' that matches the filter' : '';
    const refused = this.refused.draw(model, customers.filter(isRefused), chosenAnew);
    setText(byId('refused-note'), refused === 0
      ? `No client${matching} was refused ${watchedText(model)}.`
      : '');
    byId('addresses-card').hidden = addresses.length === 0;
    this.addresses.draw(model, addresses, chosenAnew);
    setText(byId('addresses-note'), addressesText(model, addresses.filter(isRefused)));
    const near = this.nearest.draw(model, customers, chosenAnew);
    setText(byId('clients-note'), near === 0
      ? `No client${matching} has called this instance in the last minute.`
      : 'Allowed and Refused count the calls to this instance in the last minute. Used counts those to all instances.');
  }
}

function addressesText(model, refused) {
  if (refused.length === 0) {
    return `No address or login was refused ${watchedText(model)}.`;
  }
  const calls = refused.reduce((sum, client) => sum + model.all(client, REFUSED) + model.all(client, WOULD_REFUSE), 0);
  const callers = refused.length === 1 ? 'one address or login' : `${number(refused.length)} addresses and logins`;
  return `The limits refused ${amount(calls, 'calls')} of ${callers} ${watchedText(model)}.`;
}

/** The time since which the page has seen all calls. */
export function watchedText(model) {
  return model.isYoung()
    ? `since ${moment(model.facts.watch.since, model.now())}, when this instance began to watch`
    : 'in the last fifteen minutes';
}
