// Small helpers to build elements. Text is only ever set as text.

const SVG = 'http://www.w3.org/2000/svg';

export const byId = id => document.getElementById(id);

/** An element with a class and children, which are elements or text. */
export function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) {
    made.className = className;
  }
  made.append(...children);
  return made;
}

/**
 * A table with one line of heads, each a text and the class of its column, such as number; names stand in the others. Cells are
 * texts, elements, or lists of both; the first of a row is its head.
 */
export function table(caption, heads, rows) {
  const head = element('tr', '', ...heads.map(([text, kind]) => {
    const cell = element('th', kind ?? '', text);
    cell.scope = 'col';
    return cell;
  }));
  const body = rows.map(row => element('tr', '', ...row.map((content, column) => {
    const cell = element(column === 0 ? 'th' : 'td', heads[column][1] ?? 'name', ...[content].flat());
    if (column === 0) {
      cell.scope = 'row';
    }
    return cell;
  })));
  return element('div', 'wide', element('table', '', element('caption', 'unseen', caption),
    element('thead', '', head), element('tbody', '', ...body)));
}

/** A piece of a line for a legend, in one style; or dashes in several, in turn. */
export function swatch(...styles) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 12');
  svg.setAttribute('aria-hidden', 'true');
  const pieces = styles.length === 1 ? ['M2 6h20'] : ['M1 6h4', 'M7 6h4', 'M13 6h4', 'M19 6h4'];
  svg.append(...pieces.map((piece, index) => {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('class', styles[index % styles.length]);
    path.setAttribute('d', piece);
    path.setAttribute('stroke', 'currentColor');
    path.setAttribute('stroke-width', '3');
    return path;
  }));
  return svg;
}

/** Sets a text only where it differs, so that selections and screen readers are left in peace. */
export function setText(target, text) {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}

export function setClass(target, className) {
  if (target.className !== className) {
    target.className = className;
  }
}

/** Sets the name that screen readers tell, only where it differs. */
export function setLabel(target, label) {
  if (target.getAttribute('aria-label') !== label) {
    target.setAttribute('aria-label', label);
  }
}

/** Draws a place only where what it is drawn from has changed. */
export function drawIfChanged(place, from, draw) {
  const text = JSON.stringify(from);
  if (place.dataset.of !== text) {
    place.dataset.of = text;
    draw();
  }
}

/** Terms and what is said of them, in a dl. */
export function facts(list, entries) {
  list.replaceChildren(...entries.map(([term, ...said]) =>
    element('div', '', element('dt', '', term), element('dd', '', ...said))));
}

/** A part of a limit: a bar and the figure. */
export function usage() {
  const bar = element('progress', '');
  bar.max = 1;
  const figure = element('span', '');
  const whole = element('div', 'use', bar, figure);
  return {
    element: whole,
    show(part, text, label) {
      const level = part >= 1 ? 'bad' : part >= 0.8 ? 'warn' : '';
      setClass(bar, level);
      bar.value = Math.min(1, part);
      setLabel(bar, label);
      setText(figure, text);
    },
  };
}
