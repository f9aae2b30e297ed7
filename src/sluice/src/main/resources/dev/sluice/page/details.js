// The details of one client: its limits, the used part of each limit, and the client's latest refusals.

import { Change } from './change.js';
import { byId, drawIfChanged, element, facts, setText, table, usage } from './elements.js';
import {
  amount, countdown, limitText, moment, number, percent, placeText, setByText, shown, subjectPrefix, subjectWord, untilText,
} from './format.js';
import { ALLOWED, REFUSED, WOULD_REFUSE, read } from './model.js';

const ASK_MILLIS = 2000;
const MOST_UNRESPONSIVE = 3;

const key = client => JSON.stringify(client.caller);

/** One limit, with its used part. */
class Limit {
  constructor() {
    this.text = element('span', '');
    this.left = element('span', 'quiet');
    this.usage = usage();
    this.unresponsive = element('div', '');
    this.element = element('div', 'limit', element('p', '', this.text, this.left), this.usage.element, this.unresponsive);
  }

  show(limit, unit, now) {
    const used = limit.resetAt > now ? limit.used : 0;
    const part = limit.capacity > 0 ? used / limit.capacity : 0;
    const method = limit.method && limit.method !== '*' ? `${limit.method}: ` : '';
    const text = method + limitText(limit.limit, unit);
    setText(this.text, text);
    setText(this.left, `${amount(used, unit)} used, ${number(Math.max(0, limit.capacity - used))} left`
      + (used > 0 && limit.resetAt > now ? `, resets in ${countdown(limit.resetAt - now)}` : ''));
    this.usage.show(part, percent(part), `Used of ${text}`);
    const lines = used > 0 ? unresponsiveLines(limit.unresponsive ?? [], now) : [];
    drawIfChanged(this.unresponsive, lines, () =>
      this.unresponsive.replaceChildren(...lines.map(line => element('span', 'sub', line))));
  }
}

/** Explains why calls count as used although they might never have been made. */
function unresponsiveLines(all, now) {
  const lines = all.slice(0, MOST_UNRESPONSIVE).map(({ instance, permits, since }) => (
    `${number(permits)} ${permits === 1 ? 'counts' : 'count'} as used: instance ${shown(instance)} held `
      + `${permits === 1 ? 'it' : 'them'}, and has been unresponsive since ${moment(since, now)}`));
  const more = all.slice(MOST_UNRESPONSIVE);
  const permits = more.reduce((sum, one) => sum + one.permits, 0);
  return more.length === 0 ? lines
    : [...lines, `${number(permits)} more, of ${more.length} other instance${more.length === 1 ? '' : 's'}`];
}

/** The calls in one of the limits that the store counts as used for unresponsive instances. */
function unresponsiveIn(accounts, ...limit) {
  return accounts
    .filter(({ key }) => key.split(':').slice(-5, -2).map(decodeURIComponent).join(' ') === limit.join(' '))
    .flatMap(({ fleet }) => fleet.unresponsive ?? []);
}

/** The client's state at one endpoint. */
class Standing {
  limits = new Map();

  constructor(client, changed) {
    this.place = element('div', '');
    this.counts = element('dl', '');
    this.change = new Change(client.id, client.endpoint, changed);
    this.change.element.hidden = true;
    this.element = element('section', 'standing', element('h3', '', client.endpoint), this.place, this.counts,
      this.change.element);
  }

  /** Shows the form to readers who can make changes. */
  allow(model, client, csrf) {
    this.change.element.hidden = false;
    this.change.allow(model.unit(client.endpoint), csrf);
  }

  show(model, client, told) {
    const limits = told.length > 0 ? told : [client];
    const names = limits.map(limit => `${limit.method ?? '*'} ${limit.tier}`);
    if (names.join() !== this.names) {
      this.names = names.join();
      this.limits = limits.map(() => new Limit());
      this.place.replaceChildren(...this.limits.map(limit => limit.element));
    }
    limits.forEach((limit, index) => this.limits[index].show(limit, model.unit(client.endpoint), model.now()));
    const entries = [
      ['Allowed calls, 15 minutes', number(model.all(client, ALLOWED))],
      ['Refused calls, 15 minutes', number(model.all(client, REFUSED))],
      ...(model.isDryRun(client) ? [['Calls that would be refused, 15 minutes', number(model.all(client, WOULD_REFUSE))]] : []),
    ];
    const { since, until, isOver } = model.episode(client);
    if (since > 0) {
      entries.push([model.all(client, REFUSED) === 0 ? 'Would be refused since' : 'Refused since',
        sinceText(model, since) + (isOver ? `, until ${moment(until, model.now())}` : '')]);
    }
    drawIfChanged(this.counts, entries, () => facts(this.counts, entries));
  }
}

function sinceText(model, since) {
  const oldest = (model.bucket() - model.facts.watch.buckets + 1) * model.facts.watch.bucketMillis;
  return `${moment(since, model.now())}${since > oldest ? '' : ' or earlier'}`;
}

export class Details {
  standings = new Map();
  told = [];
  overrides = [];

  constructor() {
    this.dialog = byId('client');
    this.title = this.dialog.querySelector('#client-title');
    this.limits = element('div', '');
    this.unchangeable = element('p', 'note');
    this.own = element('div', '');
    this.refusals = element('div', 'standing');
    byId('client-body').append(this.limits, this.unchangeable, this.own, this.refusals);
    byId('client-close').addEventListener('click', () => this.dialog.close());
    this.dialog.addEventListener('click', event => {
      if (event.target === this.dialog) {
        this.dialog.close();
      }
    });
    setInterval(() => this.ask(), ASK_MILLIS);
  }

  open(model, client) {
    this.model = model;
    this.client = client;
    this.caller = key(client);
    this.told = [];
    this.overrides = [];
    this.rights = { mayChange: false };
    this.standings.clear();
    this.limits.replaceChildren();
    this.title.replaceChildren(...titleOf(client));
    this.draw(model, true);
    if (!this.dialog.open) {
      this.dialog.showModal();
    }
    this.ask();
  }

  /** Fetches the client's standing in each of its limits. */
  async ask() {
    if (!this.dialog.open || document.hidden) {
      return;
    }
    const { id } = this.client;
    try {
      const answer = await fetch(`client.json?id=${id}`, { cache: 'no-store' });
      if (answer.ok && this.client.id === id) {
        const { standings, overrides, accounts, mayChange, csrf } = read(await answer.text());
        this.rights = { mayChange, csrf };
        this.overrides = overrides;
        this.told = standings.map(({ endpoint, method, tier, capacity, remaining, resetAt }) => ({
          endpoint, method, tier: tier.tier, limit: tier.text, capacity, used: Math.max(0, capacity - remaining), resetAt,
          unresponsive: unresponsiveIn(accounts, endpoint, method, tier.tier),
        }));
        this.draw(this.model, false);
      }
    } catch {
      // the page's header shows that the instance does not respond
    }
  }

  draw(model, opening) {
    if (!opening && !this.dialog.open) {
      return;
    }
    const own = Array.from(model.clients.values()).filter(client => key(client) === this.caller)
      .sort((a, b) => (b.id === this.client.id) - (a.id === this.client.id));
    own.forEach(client => {
      let standing = this.standings.get(client.id);
      if (standing === undefined) {
        standing = new Standing(client, () => this.ask());
        this.standings.set(client.id, standing);
        this.limits.append(standing.element);
      }
      standing.show(model, client, this.told.filter(limit => limit.endpoint === client.endpoint));
      if (this.rights.mayChange && model.facts.store.shared && client.caller.length > 0) {
        standing.allow(model, client, this.rights.csrf);
      }
    });
    setText(this.unchangeable, this.rights.mayChange && !model.facts.store.shared
      ? 'You cannot give or reset anything here, because this instance has no shared store.' : '');
    this.drawOwn(model);
    this.drawRefusals(model, own);
  }

  /** Draws the limits that were set outside the file for this client, or for a plan that it might have. */
  drawOwn(model) {
    const entries = this.overrides.map(one => {
      const set = setByText(one, model.now());
      const ofPlan = one.subject === 'plan' && `for every caller with plan ${shown(one.client)}`;
      return [placeText(one), limitText(one.limit, model.unit(one.endpoint)), ofPlan, `until ${untilText(one, model.now())}`, set && `set ${set}`,
        one.why && shown(one.why)].filter(text => text);
    });
    drawIfChanged(this.own, entries, () => {
      const list = element('dl', '');
      facts(list, entries.map(([endpoint, limits, ...more]) =>
        [endpoint, limits, ...more.map(text => element('span', 'sub', text))]));
      this.own.className = entries.length > 0 ? 'standing' : '';
      this.own.replaceChildren(...(entries.length > 0 ? [element('h3', '', 'Set outside the file'), list] : []));
    });
  }

  drawRefusals(model, own) {
    const refusals = own
      .flatMap(client => client.refusals.map(({ at, limit }) => (
        { at, time: moment(at, model.now()), endpoint: client.endpoint, dry: model.isDryRun(client),
        limit: limitText(limit, model.unit(client.endpoint)) })))
      .sort((a, b) => b.at - a.at);
    drawIfChanged(this.refusals, refusals, () => this.refusals.replaceChildren(
      element('h3', '', 'Last refusals'), refusals.length === 0
        ? element('p', 'quiet', 'No call of this client was refused in the last fifteen minutes.')
        : table('Last refusals', [['Time'], ['Endpoint'], ['Refused by']], refusals.map(({ time, endpoint, dry, limit }) => [
          time,
          [endpoint, ...(dry ? [' ', element('span', 'tag', 'dry run')] : [])],
          limit,
        ]))));
  }
}

function titleOf({ called, caller }) {
  if (caller.length === 0) {
    return ['All callers together'];
  }
  const keys = caller.flatMap((subject, index) => [
    ...(index > 0 ? [', '] : []),
    element('span', 'quiet', subjectWord(subject) || subjectPrefix(subject)),
    element('span', called ? 'quiet name' : 'name', shown(subject.value)),
  ]);
  return called ? [element('span', 'name', shown(called)), ' (', ...keys, ')'] : keys;
}
