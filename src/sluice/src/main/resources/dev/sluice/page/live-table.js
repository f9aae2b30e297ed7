// A table of clients. Rows are kept while their figures change, and stay in place while the reader uses one of them.

import { byId, setText } from './elements.js';
import { number } from './format.js';
import { REFUSED } from './model.js';

const REST_MILLIS = 2000;
/** If the pointer or the focus rests on a row without moving, the rows keep their order for this time only. */
const USE_MILLIS = 10000;

export class LiveTable {
  rows = new Map();
  all = false;
  sortedAt = 0;
  usedAt = 0;

  /**
   * The table with this id.
   *
   * @param few the number of rows that it shows until the reader asks for all
   * @param row makes a row for a client
   * @param sorted puts the clients in order, and marks the first as those that matter now
   * @param moreText the text of the button that shows all rows
   * @param fewText the text of the button while all rows are shown
   */
  constructor(id, { few, row, sorted, moreText, fewText }) {
    Object.assign(this, { few, row, sorted, moreText, fewText });
    this.body = byId(id).tBodies[0];
    this.more = byId(`${id}-more`);
    for (const use of ['pointermove', 'focusin', 'keydown']) {
      this.body.addEventListener(use, () => { this.usedAt = Date.now(); });
    }
    this.more.addEventListener('click', () => {
      this.all = !this.all;
      this.sortedAt = 0;
      this.redraw?.();
    });
  }

  /** Draws these clients; returns the number of rows. */
  draw(model, clients, chosenAnew) {
    this.redraw = () => this.draw(model, clients, true);
    if (chosenAnew || this.maySort(model, clients)) {
      this.sort(model, clients);
    }
    this.order.forEach(client => this.rows.get(client.id)?.show(model, model.clients.get(client.id) ?? client));
    return this.order.length;
  }

  /**
   * Whether rows may be sorted again. They may not while the reader uses one, and at most every two seconds unless a
   * new client is refused.
   */
  maySort(model, clients) {
    const isNew = clients.some(client => !this.known?.has(client.id)
      && (clients.length <= this.few || model.minute(client, REFUSED) > 0));
    const isHeld = this.body.contains(document.activeElement) || this.body.matches(':hover');
    const isInUse = isHeld && Date.now() - this.usedAt < USE_MILLIS;
    return this.order === undefined || (!isInUse && (isNew || Date.now() - this.sortedAt > REST_MILLIS));
  }

  sort(model, clients) {
    this.sortedAt = Date.now();
    this.known = new Set(clients.map(client => client.id));
    const sorted = this.sorted(model, clients);
    const few = sorted.filter(({ matters }) => matters).slice(0, this.few);
    this.order = (this.all ? sorted : few).map(({ client }) => client);
    this.place();
    this.more.hidden = sorted.length <= few.length;
    setText(this.more, this.all ? this.fewText : this.moreText(number(sorted.length)));
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
        row = this.row(client);
        this.rows.set(client.id, row);
      }
      if (this.body.children[index] !== row.element) {
        this.body.insertBefore(row.element, this.body.children[index] ?? null);
      }
    });
    if (focused?.isConnected && focused !== document.activeElement) {
      focused.focus({ preventScroll: true }); // moving a row removes its focus
    }
  }
}
