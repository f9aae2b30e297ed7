// Helpers that build elements. Text is always set as text, never as markup.

const SVG = 'http://www.w3.org/2000/svg';

export const byId = id => document.getElementById(id);

/** Creates an element with a class and children, which are elements or text. */
export function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) {
    made.className = className;
  }
  made.append(...children);
  return made;
}

/**
 * Creates a table. Each item of heads is a text with the class of its column, such as number. A column without a class
 * contains names. Cells are texts, elements, or lists of both. The first cell of a row is its head.
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

/** A line for a legend, in one style or with dashes that alternate between several styles. */
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

/** Sets a text only if it has changed, to avoid disturbing selections and screen readers. */
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

/** Sets the label for screen readers if it has changed. */
export function setLabel(target, label) {
  if (target.getAttribute('aria-label') !== label) {
    target.setAttribute('aria-label', label);
  }
}

/** Redraws an element only if its data has changed. */
export function drawIfChanged(place, from, draw) {
  const text = JSON.stringify(from);
  if (place.dataset.of !== text) {
    place.dataset.of = text;
    draw();
  }
}

/** Fills a dl with terms and their descriptions. */
export function facts(list, entries) {
  list.replaceChildren(...entries.map(([term, ...said]) =>
    element('div', '', element('dt', '', term), element('dd', '', ...said))));
}

/** Creates an element that shows the used part of a limit as a bar and a figure. */
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
