// The header of the page, the endpoints in force, limits set outside the file, blocked callers, and health.

import { byId, drawIfChanged, element, facts, setClass, setText, table } from './elements.js';
import { showRefused } from './clients.js';
import {
  callerName, callerText, duration, limitText, moment, number, perSecond, placeText, setByText, shown, untilText,
} from './format.js';
import { ALLOWED, NEAR, REFUSED, WOULD_REFUSE } from './model.js';

const FEW_OWN = 50;

function pill(id, level, text) {
  setClass(byId(id), `pill ${level}`);
  setText(byId(id), text);
}

export function drawLink(level, text) {
  pill('link', level, text);
}

export function drawHead(model) {
  const { watch: { instance }, file, store, now } = model.facts;
  setText(byId('instance'), shown(instance));
  const title = `Sluice: ${shown(instance)}`;
  if (document.title !== title) {
    document.title = title;
  }
  const level = store.up ? (store.warning ? 'warn' : 'well') : 'bad';
  pill('store', store.shared ? level : '',
    store.shared ? (store.up ? 'The store responds' : 'The store is unavailable') : 'This instance counts alone');
  pill('file', file.refusedAt ? 'warn' : 'well',
    file.refusedAt ? 'A change to the file was refused' : `The file was loaded at ${moment(file.loadedAt, now)}`);
}

/** Shows when the charts begin while they cover less time than usual. */
export function drawWatched(model) {
  const { now, watch: { since: watchingSince } } = model.facts;
  const isYoung = model.isYoung();
  byId('watched').hidden = !isYoung;
  setText(byId('watched'), isYoung ? `The charts begin at ${moment(watchingSince, now)}, when this instance began to watch.` : '');
}

/**
 * Draws the tiles. They cover all calls, regardless of the filters. The tile for clients near a limit counts only
 * customers.
 */
export function drawTiles(model) {
  tile('allowed', perSecond(model.rate(ALLOWED)), '');
  tile('refused', perSecond(model.rate(REFUSED)), 'count-bad');
  tile('would', perSecond(model.rate(WOULD_REFUSE)), 'count-warn');
  const callers = new Set(Array.from(model.clients.values()).filter(client => !client.address && model.part(client) >= NEAR)
    .map(client => JSON.stringify(client.caller)));
  tile('near', number(callers.size), 'count-warn');
}

/** Shows a figure. The given style applies unless the figure is 0. */
function tile(name, text, style) {
  setText(byId(`tile-${name}`), text);
  setClass(byId(`tile-${name}`), text === '0' ? '' : style);
}

export function drawBanners(model) {
  const { file, store, now } = model.facts;
  const place = byId('banners');
  drawIfChanged(place, [file.refusedAt, file.refusal, store.up, store.unavailableSince, store.cause, store.warning],
    () => place.replaceChildren(...banners(file, store, now)));
}

/** Draws the problems with the store or the file. */
function banners(file, store, now) {
  const found = [];
  if (store.shared && !store.up) {
    found.push(element('div', 'banner', element('strong', '', `The store has been unavailable since ${moment(store.unavailableSince, now)}`),
      `${consequence(store.onFailure)} `, element('span', 'quiet', `(${shownLine(store.cause ?? '')})`)));
  }
  if (store.warning) {
    found.push(element('div', 'banner warn', element('strong', '', 'The store is misconfigured'),
      `${shownLine(store.warning)}.`));
  }
  if (file.refusedAt) {
    const problems = element('pre', '', (file.refusal ?? '').split('\n').map(line => shownLine(line)).join('\n'));
    found.push(element('div', 'banner warn',
      element('strong', '', `A change to ${shown(file.refused)} was refused at ${moment(file.refusedAt, now)}`),
      'The previous version stays in force. The file is read again when it changes.', problems));
  }
  return found;
}

/** A line of a report. It can be longer than a name. */
function shownLine(line) {
  return line.length <= 80 ? shown(line) : shown(line.slice(0, 80)) + shownLine(line.slice(80));
}

function consequence(onFailure) {
  return {
    allow: 'Until it responds, all calls pass.',
    deny: 'Until it responds, calls beyond the shares in hand are refused.',
    share: 'Until it responds, instances divide the remaining permits of each limit.',
  }[onFailure] ?? 'Until it responds, each instance counts alone, up to the full threshold.';
}

export function drawEndpoints(model) {
  const rows = (model.facts.endpoints ?? []).map(endpoint => {
    const head = element('th', '', endpoint.id,
      ...(endpoint.mode === 'enforce' ? [] : [' ', element('span', 'tag', endpoint.mode)]),
      element('span', 'sub narrow', element('code', '', endpoint.where)));
    head.scope = 'row';
    const allowed = element('td', 'number roomy');
    const refused = element('td', 'number');
    allowed.dataset.endpoint = refused.dataset.endpoint = endpoint.id;
    return element('tr', '', head,
      element('td', 'roomy', element('code', '', endpoint.where),
        ...(endpoint.conditional ? [element('span', 'sub', 'under conditions')] : []),
        ...(endpoint.counts ? [element('span', 'sub', countsText(endpoint.counts))] : [])),
      element('td', 'roomy', endpoint.per.length === 0 ? 'all together' : endpoint.per.join(', ')),
      element('td', '', ...endpoint.tiers.map(tier => element('div', '', limitText(tier.text, model.unit(endpoint.id))))),
      allowed, refused);
  });
  byId('endpoints').tBodies[0].replaceChildren(...rows);
  drawEndpointFilter(model);
}

function countsText(counts) {
  return counts[0] === 'login-failure' ? 'counts failed logins' : `counts responses ${counts.join(', ')}`;
}

function drawEndpointFilter(model) {
  const select = byId('filter-endpoint');
  const chosen = select.value;
  const options = (model.facts.endpoints ?? []).map(endpoint => new Option(endpoint.id, endpoint.id));
  select.replaceChildren(new Option('All endpoints', ''), ...options);
  select.value = options.some(option => option.value === chosen) ? chosen : '';
}

/** Draws the numbers of calls that each endpoint allowed and refused. */
export function drawCounts(model) {
  for (const row of byId('endpoints').tBodies[0].rows) {
    const refused = row.lastElementChild;
    const counts = model.counts.get(refused.dataset.endpoint);
    const sum = kind => (counts ? model.all(counts, kind) : 0);
    setText(refused.previousElementSibling, number(sum(ALLOWED)));
    showRefused(refused, sum(REFUSED), sum(WOULD_REFUSE));
  }
}

function ownerText({ called, subject, client }) {
  return callerText({ called, caller: [{ name: subject, value: client }] });
}

export function drawOwn(model) {
  const own = model.facts.overrides ?? { count: 0, first: [] };
  const { now } = model.facts;
  if (own.count === 0) {
    byId('own').replaceChildren(
      element('p', 'quiet', 'No limits are set outside the file, so the limits in the file apply to every client.'));
    return;
  }
  const few = own.first.slice(0, FEW_OWN);
  const wide = table('Limits set outside the file',
    [['Client'], ['Endpoint', 'roomy'], ['Limit'], ['Until', 'roomy'], ['Set', 'roomy name']],
    few.map(one => {
      const set = setByText(one, now);
      const until = untilText(one, now);
      const why = one.why ? shown(one.why) : '';
      return [
        [element('span', 'name', ownerText(one)), element('span', 'sub narrow name',
          [placeText(one), `until ${until}`, set && `set ${set}`, why].filter(text => text).join(', '))],
        placeText(one), limitText(one.limit, model.unit(one.endpoint)), until,
        [set || 'unknown', ...(why ? [element('span', 'sub', why)] : [])],
      ];
    }));
  wide.tabIndex = 0;
  wide.role = 'group';
  wide.setAttribute('aria-label', 'Table of limits set outside the file');
  byId('own').replaceChildren(wide,
    ...(own.count > few.length ? [element('p', 'note', `Only the first ${few.length} of ${number(own.count)} are shown.`)] : []));
}

/** Draws the blocked callers, or hides the table if there are none. */
export function drawBlocked(model) {
  const { count, first } = model.facts.blocks ?? { count: 0, first: [] };
  const { now } = model.facts;
  byId('blocked-card').hidden = count === 0;
  if (count === 0) {
    return;
  }
  const wide = table('Blocked callers',
    [['Client'], ['Endpoint', 'roomy'], ['Until'], ['Since', 'roomy'], ['In a row', 'number roomy']],
    first.map(one => {
      const name = element('span', 'name', callerName(one));
      name.title = callerText(one);
      const where = `${one.method === '*' ? '' : `${one.method} `}${one.endpoint}, tier ${shown(one.tier)}`;
      return [
        [name, element('span', 'sub narrow name', where)],
        [where, ...(one.cause ? [element('span', 'sub', one.cause)] : [])],
        moment(one.until, now), moment(one.since, now), number(one.inARow),
      ];
    }));
  wide.tabIndex = 0;
  wide.role = 'group';
  wide.setAttribute('aria-label', 'Table of blocked callers');
  byId('blocked').replaceChildren(wide,
    ...(count > first.length ? [element('p', 'note', `Only the first ${first.length} of ${number(count)} are shown.`)] : []));
}

export function drawHealth(model) {
  const { store, file, counters, now, watch: { since: watchingSince } } = model.facts;
  const exchanges = store.exchanges;
  const entries = [
    ['Store', store.shared
      ? `${shown(store.name)}: ${store.up ? 'responds' : `unavailable since ${moment(store.unavailableSince, now)}`}`
      : 'This instance has no store, so it counts alone.'],
  ];
  if (store.warning) {
    entries.push(['Store setting', shownLine(store.warning)]);
  }
  if (store.shared) {
    entries.push(
      ['Last exchange', exchanges.lastAt
        ? `${duration(Math.max(0, now - exchanges.lastAt))} ago, took ${number(exchanges.lastMillis)} ms for `
          + `${number(exchanges.lastCounters)} ${exchanges.lastCounters === 1 ? 'counter' : 'counters'}`
        : 'No exchange yet.'],
      ['Exchanges', `${number(exchanges.answered)} answered, ${number(exchanges.failed)} failed`]);
  }
  entries.push(
    ['File', `${shown(file.name)}, loaded ${moment(file.loadedAt, now)}`],
    ['Last refused reload', file.refusedAt ? moment(file.refusedAt, now) : 'No reload was refused.'],
    ['Counters in memory', `${number(counters.count)} of ${number(counters.maximum)} at most`
      + (counters.evicted > 0 ? `, ${number(counters.evicted)} evicted` : '')]);
  const list = byId('health');
  drawIfChanged(list, entries, () => facts(list, entries));
  setText(byId('footer'), `Allowed and Refused count the calls to this instance since ${moment(watchingSince, now)} at the `
    + 'earliest. Used counts those to all instances.');
}
