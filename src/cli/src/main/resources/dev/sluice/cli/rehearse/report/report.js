// The page of a rehearsal. It displays only its own data, and displays names in the data as text, never as markup.
// This script follows elements.js, format.js and plot.js of the page for operators, in the same module.

const MINUTE = 60000;
const DAY = 86400000;

const report = JSON.parse(document.getElementById('data').textContent,
  (key, value) => (typeof value === 'string' ? visible(value) : value));

const count = (value, thing) => `${number(value)} ${thing}${value === 1 ? '' : 's'}`;
const utc = text => text.replace('T', ' ').replace('Z', '');

function share(part) {
  if (part <= 0) {
    return '0%';
  }
  const percent = part * 100;
  return `${percent >= 10 ? Math.floor(percent * 10) / 10 : Number(percent.toPrecision(2))}%`;
}

function span(millis) {
  const units = [['d', DAY], ['h', 60 * MINUTE], ['m', MINUTE], ['s', 1000]];
  const found = units.findIndex(([, length]) => millis >= length);
  if (found < 0) {
    return `${millis}ms`;
  }
  const [unit, length] = units[found];
  const smaller = units[found + 1];
  const more = smaller ? Math.floor((millis % length) / smaller[1]) : 0;
  return `${Math.floor(millis / length)}${unit}${more ? ` ${more}${smaller[0]}` : ''}`;
}

const NUMBER = 'number';
const MOMENT = 'moment';

function tile(term, value, small) {
  return element('div', '', element('dt', '', term), element('dd', '', value, ...(small ? [' ', element('small', '', small)] : [])));
}

const charts = [];

/** One chart with its legend. It has a line for each client, and one for the limit if there is one. */
class Chart {
  constructor(title, of, figures, lines, limit, colours) {
    this.figures = figures;
    this.lines = lines;
    this.limit = limit;
    this.colours = colours;
    this.plotted = element('div', 'plot');
    this.plotted.setAttribute('role', 'img');
    this.plotted.setAttribute('aria-label', `${title}, ${of}: one line for each client in the list below.`);
    this.at = element('span', 'of', of);
    this.of = of;
    const totals = limit ? line => Math.max(0, ...line.values) : line => line.values.reduce((sum, one) => sum + one, 0);
    this.items = lines.map(line => {
      const value = element('span', 'value', number(totals(line)));
      const label = element('span', 'label', element('span', 'name', line.client));
      label.title = line.client;
      return { element: element('li', '', swatch(`style-${colours.get(line.client) % COLOURS}`), label, value), value,
        total: number(totals(line)) };
    });
    const items = this.items.map(item => item.element);
    if (limit) {
      items.push(element('li', 'limits', swatch('style-limit', 'style-limit'), element('span', 'quiet', `Limit: ${limit.text}`)));
    }
    this.element = element('article', 'card chart', element('h3', '', title), this.at, this.plotted,
      element('ul', 'legend', ...items));
    charts.push(this);
  }

  draw() {
    this.plot?.destroy();
    const { startMillis, bucketMillis, buckets } = this.figures;
    const times = Array.from({ length: buckets + 1 }, (unused, i) => (startMillis + i * bucketMillis) / 1000);
    const values = this.lines.map(line => [...line.values, line.values.length > 0 ? line.values[buckets - 1] : 0]);
    const top = Math.max(1, ...values.map(line => Math.max(0, ...line)), this.limit ? Math.min(this.limit.height,
      4 * Math.max(1, ...values.map(line => Math.max(0, ...line)))) : 0);
    const limits = this.limit && this.limit.height <= top ? [times.map(() => this.limit.height)] : [];
    if (this.lines.length === 0) {
      this.plotted.replaceChildren(element('p', 'empty', 'No calls were refused'));
      return;
    }
    this.plotted.replaceChildren();
    this.plot = new uPlot(this.options(top, limits), [times, ...values, ...limits], this.plotted);
  }

  options(top, limits) {
    const isLong = this.figures.buckets * this.figures.bucketMillis > DAY;
    const time = seconds => new Date(seconds * 1000).toISOString();
    const tick = seconds => (isLong ? time(seconds).slice(5, 16).replace('T', ' ') : time(seconds).slice(11, 19));
    const stepped = uPlot.paths.stepped({ align: 1 });
    return {
      width: widthOf(this.plotted),
      height: HEIGHT,
      padding: [10, 12, 0, 0],
      legend: { show: false },
      tzDate: seconds => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      cursor: { drag: { x: true, y: false }, points: { size: 6 } },
      scales: { x: { time: true }, y: { range: () => [0, top * 1.15] } },
      axes: [
        { ...axis(), space: isLong ? 90 : 70, size: 28, values: (plot, ticks) => ticks.map(tick) },
        { ...axis(), size: 56, space: 36, values: (plot, ticks) => ticks.map(number) },
      ],
      series: [
        {},
        ...this.lines.map(line => ({ stroke: style(`--series-${this.colours.get(line.client) % COLOURS}`), width: 2,
          paths: stepped, points: { show: false } })),
        ...limits.map(() => ({ stroke: style('--ink'), width: 1.25, dash: [6, 5], points: { show: false } })),
      ],
      hooks: { setCursor: [plot => this.readAt(plot)] },
    };
  }

  /** Shows the values at the pointer in the legend. */
  readAt(plot) {
    const index = pointedAt(plot);
    const isOut = index === null;
    this.items.forEach((item, line) => {
      item.value.textContent = isOut ? item.total : number(plot.data[line + 1][index]);
    });
    this.at.textContent = isOut ? this.of
      : `${this.of}, at ${new Date(plot.data[0][index] * 1000).toISOString().slice(0, 19).replace('T', ' ')}`;
  }
}

function chartsOf(endpoint) {
  const figures = endpoint.charts;
  if (!figures) {
    return [];
  }
  const colours = new Map();
  [...figures.refused, ...figures.allowed].forEach(line => {
    if (!colours.has(line.client)) {
      colours.set(line.client, colours.size);
    }
  });
  const limit = { height: figures.threshold, text: `${number(figures.threshold)} in ${figures.period}` };
  const allowed = new Chart('Allowed', `the most calls in one window of ${figures.period}`,
    figures, figures.allowed, limit, colours);
  const refused = new Chart('Refused', `calls in ${span(figures.bucketMillis)}`, figures, figures.refused, null, colours);
  return [element('section', 'charts', allowed.element, refused.element)];
}

function card(title, ...content) {
  return element('article', 'card', element('h3', '', title), ...content);
}

/**
 * The maximum number of calls of a client in one period of the tier that refused it. A concurrency limit has no period.
 */
function atOnce(client, tiers) {
  const tier = tiers.find(one => one.name === client.tier);
  return client.peak === 0 || !tier || !tier.period ? ['-', '-']
    : [`${number(client.peak)} in ${tier.period}`, `${client.timesThreshold}x`];
}

function clients(endpoint) {
  const heads = [['Client'], ['Refused', NUMBER], ['Calls', NUMBER], ['For', NUMBER], ['Peak', NUMBER],
    ['Of the limit', NUMBER], ['First', MOMENT], ['Last', MOMENT]];
  return table('Most refused clients', heads, endpoint.clients.mostRefused.map(one => [one.name, number(one.refused),
    number(one.calls), span(one.forMillis), ...atOnce(one, endpoint.tiers), utc(one.first), utc(one.last)]));
}

function blocked(endpoint) {
  return table('Clients blocked longest', [['Client'], ['Tier'], ['Blocks', NUMBER], ['For', NUMBER],
    ['Since', MOMENT], ['Until', MOMENT]], endpoint.clients.mostBlocked.map(one => [one.name, one.tier, number(one.blocks),
    span(one.forMillis), utc(one.since), utc(one.until)]));
}

/** A bar for each range, which shows the number of windows on a logarithmic scale. */
function distribution(one, limits) {
  const longest = Math.log1p(Math.max(...one.distribution.map(range => range.windows)));
  const bars = one.distribution.map(range => {
    const bar = element('span', limits.some(limit => range.from > limit) ? 'bar beyond' : 'bar');
    bar.style.width = `${range.windows === 0 ? 0 : Math.max(1, 100 * Math.log1p(range.windows) / longest)}%`;
    const label = range.from === range.to ? number(range.to) : `${number(range.from)} to ${number(range.to)}`;
    return element('tr', '', element('th', 'number', label), element('td', 'bars', bar), element('td', 'number', number(range.windows)));
  });
  const made = element('table', 'distribution', element('caption', 'unseen', 'Windows by calls of one client'),
    element('thead', '', element('tr', '', element('th', 'number', 'Calls'), element('th', ''), element('th', 'number', 'Windows'))),
    element('tbody', '', ...bars));
  return element('div', 'wide', made);
}

function windows(one, tiers) {
  const period = one.period;
  const limits = tiers.filter(tier => tier.period === one.period).map(tier => tier.threshold);
  const quantiles = table(`Calls of one client in ${period}`,
    [['Windows', NUMBER], ['Median', NUMBER], ['90%', NUMBER], ['99%', NUMBER], ['99.9%', NUMBER], ['Maximum', NUMBER]],
    [[number(one.windows), number(one.p50), number(one.p90), number(one.p99), number(one.p999), number(one.max)]]);
  const thresholds = table(`Thresholds for ${period}`,
    [['To refuse at most'], ['Threshold', NUMBER], ['Would refuse', NUMBER], ['Share', NUMBER]],
    one.thresholds.map(row => [row.aim, number(row.threshold), number(row.refused), share(row.share)]));
  return card(`Calls of one client in ${period}`, distribution(one, limits), quantiles, thresholds,
    element('p', 'note', `Counts admitted and refused calls, in fixed windows. Bars in another colour are beyond the limit of ${
      limits.map(number).join(' or ')}. The scale is logarithmic.`));
}

function endpoint(one) {
  const methods = one.methods.length === 0 ? 'any method' : one.methods.join(', ');
  const paths = [one.pathPattern].flat().join(', ') + (one.except.length === 0 ? '' : ` except ${one.except.join(', ')}`);
  const section = element('section', 'endpoint', element('h2', '', one.id),
    element('p', 'quiet', element('code', '', `${methods} ${paths}`), one.mode === 'enforce' ? '' : ` (${one.mode})`));
  if (one.calls.all === 0) {
    section.append(element('p', 'note', 'No calls'));
    return section;
  }
  section.append(element('p', '', `${count(one.calls.all, 'call')} from ${count(one.clients.all, 'client')}; `
    + `${number(one.calls.refused)} refused, ${share(one.calls.share)}, from ${count(one.clients.refused, 'client')}`
    + `${one.blocks === 0 ? '' : `; ${count(one.blocks, 'block')} for ${count(one.clients.blocked, 'client')}`}.`));
  section.append(...chartsOf(one));
  const figures = element('section', 'charts');
  figures.append(card('Tiers', table('Tiers', [['Tier'], ['Limit'], ['Refused', NUMBER],
    ['Share', NUMBER], ['Clients', NUMBER]], one.tiers.map(tier => [tier.name, tier.text,
    number(tier.refused), share(tier.share), number(tier.refusedClients)]))));
  if (one.clients.mostRefused.length > 0) {
    section.append(card('Refused most', clients(one)));
  }
  if (one.clients.mostBlocked.length > 0) {
    section.append(card('Blocked', blocked(one)));
  }
  section.append(figures);
  section.append(element('section', 'charts', ...one.windows.map(row => windows(row, one.tiers))));
  return section;
}

function comparison(one) {
  const rows = list => list.map(row => [row.client, row.endpoint, number(row.calls)]);
  const heads = [['Client'], ['Endpoint'], ['Calls', NUMBER]];
  return element('section', 'endpoint', element('h2', '', `Compared with ${one.other}`),
    element('p', '', `${number(one.refusedByBoth)} refused by both, ${number(one.onlyFirst)} only by ${report.file}, `
      + `${number(one.onlySecond)} only by ${one.other}.`),
    ...(one.refusedByFirst.length === 0 ? [] : [card(`Refused only by ${report.file}`,
      table('Clients', heads, rows(one.refusedByFirst)))]),
    ...(one.refusedBySecond.length === 0 ? [] : [card(`Refused only by ${one.other}`,
      table('Clients', heads, rows(one.refusedBySecond)))]));
}

function notes(lines, notPlayed) {
  const said = [[lines.unreadable, 'line', 'could not be read'], [lines.withoutRequest, 'line', 'without a request'],
    [lines.late, 'line', 'skipped, more than five minutes late'],
    [lines.ahead, 'line', 'skipped, more than a day ahead of its neighbours'],
    [lines.outside, 'call', 'skipped, outside of the path of --cut']]
    .filter(([some]) => some > 0)
    .map(([some, thing, what]) => `${count(some, thing)} ${what}`);
  const all = [...said, ...lines.broken, ...notPlayed.map(sentence => `A service would decide differently: ${sentence}`)];
  if (all.length === 0) {
    return [];
  }
  const isGrave = lines.unreadable + lines.late + lines.broken.length > 0;
  const banner = element('div', isGrave ? 'banner warn' : 'banner told', element('strong', '', 'About the logs'), ...all.map(text => element('div', '', text)));
  if (lines.firstUnreadable.length > 0) {
    banner.append(element('pre', '', lines.firstUnreadable.join('\n')));
  }
  return [banner];
}

const clientsOf = report.endpoints.reduce((sum, one) => sum + one.refusedClients, 0);
document.title = `Rehearsal of ${report.file}`;
document.getElementById('file').textContent = report.file;
document.getElementById('of').textContent = `on ${report.lines.logs.join(', ')}`
  + (report.interrupted ? ', stopped before the end' : '');
document.getElementById('main').replaceChildren(
  ...notes(report.lines, report.notPlayed),
  element('dl', 'tiles',
    tile('Calls', number(report.calls), report.from ? `${utc(report.from)} to ${utc(report.to)}` : ''),
    tile('Refused', number(report.refused), share(report.share)),
    tile('Clients refused', number(clientsOf), ''),
    tile('Without a limit', number(report.unlimited), count(report.lines.read, 'line'))),
  ...report.endpoints.map(endpoint),
  ...(report.comparison ? [comparison(report.comparison)] : []));
const draw = () => charts.forEach(chart => chart.draw());
draw();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
addEventListener('resize', draw);
