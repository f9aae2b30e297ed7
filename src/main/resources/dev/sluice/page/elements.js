// Small helpers to build elements. Text is only ever set as text.

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
      if (bar.getAttribute('aria-label') !== label) {
        bar.setAttribute('aria-label', label);
      }
      setText(figure, text);
    },
  };
}
