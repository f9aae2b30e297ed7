// Gives a client more calls at an endpoint, or resets its use there. Shown only to readers with that permission.

import { element, setText } from './elements.js';
import { amount } from './format.js';

const LONGEST_REASON = 500;

let forms = 0;

function field(label, type, attributes) {
  const input = element('input', '');
  input.type = type;
  input.autocomplete = 'off';
  input.id = `change-${++forms}`;
  Object.assign(input, attributes);
  const name = element('label', '', label);
  name.htmlFor = input.id;
  return { input, name, element: element('div', '', name, input) };
}

function button(text, type) {
  const made = element('button', '', text);
  made.type = type;
  return made;
}

/** The form for one endpoint. */
export class Change {
  /**
   * Creates a form that is closed at first.
   *
   * @param id the id of the client at this endpoint
   * @param made a callback that is called after each change
   */
  constructor(id, endpoint, made) {
    this.id = id;
    this.made = made;
    this.calls = field('', 'number', { min: 1, max: 999999999999, step: 1, inputMode: 'numeric' });
    this.why = field('Reason, for the history', 'text', { maxLength: LONGEST_REASON });
    this.give = button('Give', 'submit');
    this.reset = button('Reset all that was used', 'button');
    this.said = element('p', 'said');
    this.said.setAttribute('role', 'status');
    const form = element('form', '', element('div', 'fields', this.calls.element, this.why.element, this.give, this.reset));
    form.noValidate = true;
    form.addEventListener('submit', event => {
      event.preventDefault();
      this.send('give');
    });
    this.reset.addEventListener('click', () => this.send('reset'));
    this.element = element('details', 'change', element('summary', '', `Give or reset at ${endpoint}`), form, this.said);
  }

  /** Sets the unit, and stores the data needed for changes. */
  allow(unit, csrf) {
    this.unit = unit;
    this.csrf = csrf;
    setText(this.calls.name, `How many ${unit} to give`);
  }

  async send(what) {
    const form = new URLSearchParams({ id: this.id, calls: this.calls.input.value.trim(), why: this.why.input.value });
    this.say('Contacting the store…', false);
    this.give.disabled = this.reset.disabled = true;
    try {
      const answer = await fetch(what, {
        method: 'POST',
        body: form,
        headers: { 'Sluice-Change': '1', ...(this.csrf ? { [this.csrf.header]: this.csrf.token } : {}) },
      });
      const text = await answer.text();
      if (answer.ok) {
        this.say(this.done(what, JSON.parse(text).given), false);
        this.calls.input.value = '';
      } else {
        this.say(this.problem(answer, text), true);
      }
    } catch {
      this.say('The instance does not respond. Look at the figures before you try again.', true);
    }
    this.give.disabled = this.reset.disabled = false;
    this.made();
  }

  done(what, given) {
    const tiers = Object.entries(given).map(([tier, calls]) => `${amount(calls, this.unit)} in tier ${tier}`).join(', ');
    if (tiers === '') {
      return what === 'give'
        ? 'Nothing was given, because no bucket of this client lacks permits.'
        : 'Nothing was reset, because this client has used nothing here.';
    }
    return what === 'give' ? `You have given ${tiers}.` : `You have reset ${tiers}.`;
  }

  /** Sluice refuses changes with a sentence. Other code, such as Spring Security, can respond with a page. */
  problem(answer, text) {
    return (answer.headers.get('Content-Type') ?? '').startsWith('text/plain')
      ? text.trim()
      : `The server refused the change with status ${answer.status}, before it reached this page. Reload the page, and try again.`;
  }

  say(text, isProblem) {
    this.said.className = isProblem ? 'said count-bad' : 'said';
    setText(this.said, text);
  }
}
