// A table of clients. Rows are reused when their figures change, and do not move while the reader uses one of them.

import { byId, setText } from './elements.js';
import { number } from './format.js';
import { REFUSED } from './model.js';

const REST_MILLIS = 2000;
/** If the pointer or the focus stays on a row without moving, the order of the rows is frozen only for this long. */
const USE_MILLIS = 10000;

export class LiveTable {
  rows = new Map();
  all = false;
  sortedAt = 0;
  usedAt = 0;

  /**
   * Creates the table with this id.
   *
   * @param few the number of rows shown until the reader expands the table
   * @param row a function that creates a row for a client
   * @param sorted a function that sorts the clients, and marks the first ones as currently relevant
   * @param moreText the text of the button that expands the table
   * @param fewText the text of the button when all rows are shown
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

  /** Draws these clients. Returns the number of rows. */
  draw(model, clients, chosenAnew) {
    this.redraw = () => this.draw(model, clients, true);
    if (chosenAnew || this.maySort(model, clients)) {
      this.sort(model, clients);
    }
    this.order.forEach(client => this.rows.get(client.id)?.show(model, model.clients.get(client.id) ?? client));
    return this.order.length;
  }

  /**
   * Whether rows can be sorted again. This is not allowed while the reader uses a row. Otherwise it is allowed every
   * two seconds, and whenever a new client is refused.
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
