// Formats numbers, times and names for the page.

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const hundredths = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });

const UNITS = [['d', 86400], ['h', 3600], ['m', 60], ['s', 1]];
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const LONGEST_NAME = 80;
const LONGEST_FINGERPRINT = 12;

/** For example 1,240 or 3.4 or 0.25: three significant digits, or all digits of a larger number. */
export function number(value) {
  const format = value >= 100 || Number.isInteger(value) ? whole : value >= 10 ? tenths : hundredths;
  return format.format(value);
}

/**
 * Calls per second. The number of decimals depends only on the magnitude, so that numbers can be compared: 37.2, 9.0,
 * 0.25.
 */
export function perSecond(value) {
  const digits = value === 0 || value >= 100 ? 0 : value >= 1 ? 1 : 2;
  return new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}

/** For example 1,240 /s. */
export function rate(value) {
  return `${perSecond(value)} /s`;
}

/** A duration in its two largest units: 2m 10s. */
export function duration(millis) {
  if (millis < 1000) {
    return `${Math.max(0, Math.round(millis))}ms`;
  }
  let seconds = Math.round(millis / 1000);
  const parts = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(seconds / size);
    if (count > 0 && parts.length < 2) {
      parts.push(`${count}${unit}`);
      seconds -= count * size;
    } else if (parts.length > 0) {
      break;
    }
  }
  return parts.join(' ');
}

/** A duration in whole seconds, for countdowns. */
export function countdown(millis) {
  return millis <= 0 ? 'now' : duration(Math.max(1000, Math.ceil(millis / 1000) * 1000));
}

export function time(millis) {
  return clock.format(millis);
}

/** The time. The date is included unless it is today. */
export function moment(millis, now) {
  const date = day.format(millis);
  return date === day.format(now) ? time(millis) : `${date}, ${time(millis)}`;
}

/** A number with its unit: 1 call, 1,200 calls. */
export function amount(count, unit) {
  return `${number(count)} ${count === 1 ? unit.slice(0, -1) : unit}`;
}

/**
 * Limits with their unit: 50,000 calls in 1h. Calls in flight are always counted as calls, regardless of their cost. A
 * factor, such as x2, has no unit.
 */
export function limitText(text, unit) {
  return text.split('; ').map(one => one.replace(/^(\d+) (in|at once)\b/, (all, count, how) =>
    `${amount(Number(count), how === 'in' ? unit : 'calls')} ${how}`)).join('; ');
}

/** The endpoints to which a limit set outside the file applies. */
export function placeText({ endpoint }) {
  return endpoint === '*' ? 'all endpoints' : endpoint;
}

/** When a limit set outside the file expires. */
export function untilText({ until }, now) {
  return until ? moment(until, now) : 'removed';
}

/** The time when a limit was set, and the operator who set it: 12:30:00 by eve@ops-1. Empty if unknown. */
export function setByText({ setAt, by }, now) {
  return [setAt ? moment(setAt, now) : '', by ? `by ${shown(by)}` : ''].filter(text => text).join(' ');
}

export function percent(part) {
  return `${whole.format(Math.floor(part * 100))}%`;
}

/**
 * Makes untrusted text visible: characters that are invisible or reverse the text are replaced by escapes such as
 * \u202e.
 */
export function visible(text) {
  return text.replace(UNSEEN, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Untrusted text, made visible and truncated. */
export function shown(text) {
  const signs = Array.from(visible(text));
  return signs.length > LONGEST_NAME ? `${signs.slice(0, LONGEST_NAME).join('')}…` : signs.join('');
}

/** The kind of a subject's value, unless the value is a name. */
export function subjectWord({ source }) {
  return { ip: 'address ', 'hash(login)': 'login fingerprint ' }[source] ?? '';
}

/**
 * The value of a subject. The fingerprint of a login is long, but its beginning is enough to distinguish it from
 * others.
 */
function subjectValue({ source, value }) {
  const isLong = source === 'hash(login)' && value.length > LONGEST_FINGERPRINT;
  return shown(isLong ? `${value.slice(0, LONGEST_FINGERPRINT)}…` : value);
}

/** A client's display name. Without one, the values of its subjects: acme, or acme, eve if there are several. */
export function callerName({ called, caller }) {
  if (called) {
    return shown(called);
  }
  return caller.length === 0
    ? 'All callers together'
    : caller.map(subject => subjectWord(subject) + subjectValue(subject)).join(', ');
}

/** The prefix of a subject's value: tenant=. */
export function subjectPrefix({ name }) {
  return `${name}=`;
}

/** A client in the notation of the commands, with the names of its subjects: tenant=acme, user=eve. */
export function callerText({ called, caller }) {
  const text = caller.length === 0
    ? 'All callers together'
    : caller.map(subject => subjectPrefix(subject) + shown(subject.value)).join(', ');
  return called ? `${shown(called)} (${text})` : text;
}
