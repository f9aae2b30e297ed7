// The table of clients nearest their limit.

import { byId, drawIfChanged, element, setClass, setText, usage } from './elements.js';
import { callerName, callerText, countdown, number, percent } from './format.js';
import { ALLOWED, REFUSED, WOULD_REFUSE } from './model.js';

const FEW = 15;
const REST_MILLIS = 2000;
/** After this time without a move, a pointer or focus that rests on a row no longer keeps the rows in their order. */
const USE_MILLIS = 10000;

/** One row. Its cells are kept, and only their texts change. */
class Row {
  constructor(client, open) {
    this.client = client;
    this.name = element('button', 'plain name', callerName(client));
    this.name.type = 'button';
    this.name.title = callerText(client);
    this.name.addEventListener('click', () => open(this.client));
    this.narrow = element('span', 'sub narrow');
    const head = element('th', '', this.name, this.narrow);
    head.scope = 'row';
    this.endpoint = element('td', 'roomy', client.endpoint);
    this.usage = usage();
    this.limit = element('td', 'roomy');
    this.resets = element('td', 'number');
    this.allowed = element('td', 'number roomy');
    this.refused = element('td', 'number');
    this.element = element('tr', '', head, this.endpoint, element('td', '', this.usage.element), this.limit,
      this.resets, this.allowed, this.refused);
  }

  show(model, client) {
    this.client = client;
    const used = model.used(client);
    const part = model.part(client);
    setText(this.narrow, `${client.endpoint}, ${client.limit}`);
    this.usage.show(part, percent(part), `Used by ${callerText(client)} at ${client.endpoint}`);
    this.usage.element.title = `${number(used)} of ${number(client.capacity)}`;
    setText(this.limit, client.limit);
    setText(this.resets, client.resetAt > model.now() ? countdown(client.resetAt - model.now()) : '–');
    setText(this.allowed, number(model.minute(client, ALLOWED)));
    const refused = model.minute(client, REFUSED);
    const would = model.minute(client, WOULD_REFUSE);
    showRefused(this.refused, refused, would);
  }
}

/** The number of refusals; if there are none, the number of calls that a dry run would have refused. */
export function showRefused(cell, refused, would) {
  const isDry = would > 0 && refused === 0;
  const text = number(isDry ? would : refused);
  drawIfChanged(cell, [text, isDry], () =>
    cell.replaceChildren(...(isDry ? [element('span', 'tag roomy', 'dry run'), ' '] : []), text));
  setClass(cell, `number${refused > 0 ? ' count-bad' : isDry ? ' count-warn' : ''}`);
}

export class Clients {
  rows = new Map();
  all = false;
  sortedAt = 0;
  usedAt = 0;

  constructor(open) {
    this.open = open;
    this.body = byId('clients').tBodies[0];
    this.more = byId('clients-more');
    this.note = byId('clients-note');
    for (const use of ['pointermove', 'focusin', 'keydown']) {
      this.body.addEventListener(use, () => { this.usedAt = Date.now(); });
    }
    this.more.addEventListener('click', () => {
      this.all = !this.all;
      this.sortedAt = 0;
      this.redraw?.();
    });
  }

  draw(model, clients, chosenAnew) {
    this.redraw = () => this.draw(model, clients, true);
    if (chosenAnew || this.maySort(model, clients)) {
      this.sort(model, clients);
    }
    this.order.forEach(client => this.rows.get(client.id)?.show(model, model.clients.get(client.id) ?? client));
  }

  /**
   * Whether rows may be sorted again: not while the reader uses one, and at most every two seconds, unless a new client is
   * refused.
   */
  maySort(model, clients) {
    const isNew = clients.some(client => !this.known?.has(client.id)
      && (clients.length <= FEW || model.minute(client, REFUSED) > 0));
    const isHeld = this.body.contains(document.activeElement) || this.body.matches(':hover');
    const isInUse = isHeld && Date.now() - this.usedAt < USE_MILLIS;
    return this.order === undefined || (!isInUse && (isNew || Date.now() - this.sortedAt > REST_MILLIS));
  }

  sort(model, clients) {
    this.sortedAt = Date.now();
    this.known = new Set(clients.map(client => client.id));
    const weight = client => model.minute(client, REFUSED) + model.minute(client, WOULD_REFUSE);
    const sorted = clients
      .map(client => ({ client, part: Math.min(1, model.part(client)), refused: weight(client) }))
      .sort((a, b) => b.part - a.part || b.refused - a.refused || a.client.id - b.client.id)
      .map(({ client }) => client);
    const few = sorted.filter(client => model.isActive(client)).slice(0, FEW);
    this.order = this.all ? sorted : few;
    this.place();
    this.more.hidden = sorted.length <= few.length;
    setText(this.more, this.all ? 'Show only those nearest their limit' : `Show all ${number(sorted.length)} of the last 15 minutes`);
    setText(this.note, this.order.length === 0
      ? 'No matching client has called in the last minute.'
      : 'Allowed and refused: calls to this instance in the last minute. Used: calls to all instances together.');
  }

  place() {
    const wanted = new Set(this.order.map(client => client.id));
    for (const [id, row] of this.rows) {
      if (!wanted.has(id)) {
        row.element.remove();
        this.rows.delete(id);
      }
    }
    const focused = this.body.contains(document.activeElement) ? document.activeElement : null;
    this.order.forEach((client, index) => {
      let row = this.rows.get(client.id);
      if (row === undefined) {
        row = new Row(client, this.open);
        this.rows.set(client.id, row);
      }
      if (this.body.children[index] !== row.element) {
        this.body.insertBefore(row.element, this.body.children[index] ?? null);
      }
    });
    if (focused?.isConnected && focused !== document.activeElement) {
      focused.focus({ preventScroll: true }); // moving a row takes its focus away
    }
  }
}
