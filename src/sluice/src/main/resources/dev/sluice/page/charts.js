// The charts. They show calls per second for the busiest clients, and lines for the clients' limits.

import { element, setLabel, setText, swatch } from './elements.js';
import { callerName, callerText, number, rate, time } from './format.js';
import { drawLimits, limitItem, limitsOf, marginOf, nameLimits, styleOf } from './limit-lines.js';
import { ALLOWED, REFUSED, WOULD_REFUSE } from './model.js';
import { axis, COLOURS, HEIGHT, pointedAt, style, widthOf } from './plot.js';

const MOST_LINES = 6;
const SHORTEST_SPAN = 10000;
const LONGEST_SPAN = 60000;
const UNKNOWN = '–';
/** The shortest span of a chart, in seconds. The chart of a recently started instance fills from the left. */
const SHORTEST_AXIS = 60;
/** If the axis is shorter than this, its ticks show seconds. */
const SECONDS_UNTIL = 300;

const KINDS = [
  { kind: ALLOWED, dry: false, title: 'Allowed', of: 'calls per second, averaged over the limit’s period',
    limits: true, none: 'No call was allowed in the last fifteen minutes.' },
  { kind: REFUSED, dry: false, title: 'Refused', of: 'calls per second',
    limits: false, none: 'No call was refused in the last fifteen minutes.' },
  { kind: ALLOWED, dry: true, title: 'Dry run: within the limit', of: 'calls per second, averaged over the limit’s period',
    limits: true, none: 'No call was allowed in the last fifteen minutes.' },
  { kind: WOULD_REFUSE, dry: true, title: 'Dry run: would be refused', of: 'calls per second',
    limits: false, none: 'No call would have been refused in the last fifteen minutes.' },
];

/** Keeps a client's colour the same in all charts as long as any of them shows the client. */
class Colours {
  given = new Map();

  keep(ids) {
    for (const id of this.given.keys()) {
      if (!ids.has(id)) {
        this.given.delete(id);
      }
    }
    ids.forEach(id => {
      if (!this.given.has(id)) {
        this.given.set(id, this.free());
      }
    });
  }

  free() {
    const taken = new Set(this.given.values());
    let number = 0;
    while (taken.has(number)) {
      number++;
    }
    return number;
  }

  of(id) {
    const number = this.given.get(id) ?? 0;
    return { colour: number % COLOURS, dash: number < COLOURS ? [] : [2, 3] };
  }
}

/** One chart with its legend. */
class Chart {
  constructor(kind, open) {
    this.kind = kind;
    this.open = open;
    this.lines = [];
    this.limits = [];
    this.empty = element('p', 'empty', kind.none);
    this.plotted = element('div', 'plot');
    this.plotted.setAttribute('role', 'img');
    this.legend = element('ul', 'legend');
    this.at = element('span', 'of', kind.of);
    this.element = element('article', 'card chart', element('h3', '', kind.title), this.at, this.plotted, this.legend);
    new ResizeObserver(() => this.plot?.setSize({ width: widthOf(this.plotted), height: HEIGHT })).observe(this.plotted);
  }

  /** Chooses the clients to draw. Customers come first, because a scan can come from many addresses. */
  choose(model, clients) {
    this.lines = clients
      .map(client => ({ client, sum: model.all(client, this.kind.kind) }))
      .filter(({ sum }) => sum > 0)
      .sort((a, b) => a.client.address - b.client.address || b.sum - a.sum || a.client.id - b.client.id)
      .slice(0, MOST_LINES)
      .map(({ client }) => client);
    return this.lines;
  }

  draw(model, colours, forget) {
    const data = this.data(model);
    const shape = [...this.lines.map(client => client.id), ...this.limits.map(limit =>
      [limit.text, limit.isFar, ...limit.clients.map(client => client.id)])].join('|');
    if (forget || shape !== this.shape) {
      this.shape = shape;
      this.build(data, colours);
    } else if (this.plot) {
      this.plot.setData(data);
    }
    this.tell();
  }

  /** The values of each line at each point in time since this instance started to watch. */
  data(model) {
    const { now, watch: { since: watchingSince, bucketMillis, buckets } } = model.facts;
    const last = model.bucket();
    const first = Math.max(last - buckets + 1, Math.floor(watchingSince / bucketMillis));
    const begin = Math.max(first * bucketMillis, watchingSince) / 1000;
    const times = [];
    for (let bucket = first; bucket < last; bucket++) {
      times.push(((bucket + 1) * bucketMillis) / 1000);
    }
    if (!this.kind.limits) {
      times.push(now / 1000);
    }
    const values = this.lines.map(client => this.rates(client, first, last, model.facts));
    const top = Math.max(0, ...values.map(line => Math.max(...line)));
    this.limits = this.kind.limits
      ? limitsOf(this.lines.filter(client => model.unit(client.endpoint) === 'calls'), top)
      : [];
    this.top = Math.max(top, ...this.limits.filter(limit => !limit.isFar).map(limit => limit.height), 0.2);
    this.axis = [begin, Math.max(begin + SHORTEST_AXIS, ...times)];
    this.latest = values.map(line => line[line.length - 1]);
    return [times, ...values];
  }

  rates(client, first, last, { now, watch: { since: watchingSince, bucketMillis } }) {
    const averaged = this.kind.limits
      ? Math.min(LONGEST_SPAN, Math.max(SHORTEST_SPAN, client.line.periodMillis || SHORTEST_SPAN))
      : bucketMillis;
    const span = Math.round(averaged / bucketMillis);
    const count = bucket => client.history.get(bucket)?.[this.kind.kind] ?? 0;
    const rates = [];
    let sum = 0;
    for (let bucket = first - span + 1; bucket < last; bucket++) {
      sum += count(bucket) - count(bucket - span);
      if (bucket >= first) {
        const end = (bucket + 1) * bucketMillis;
        rates.push((sum * 1000) / this.spanned(end, averaged, watchingSince));
      }
    }
    if (!this.kind.limits) { // charts with limits show only complete intervals
      const elapsed = now - last * bucketMillis;
      rates.push(((sum + count(last)) * 1000) / this.spanned(now, averaged + elapsed, watchingSince));
    }
    return rates;
  }

  /**
   * The time over which a rate is averaged. For a limit, this is the whole period, even if only a part of it was
   * watched.
   */
  spanned(end, averaged, watchingSince) {
    return this.kind.limits ? averaged : Math.max(1000, end - Math.max(end - averaged, watchingSince));
  }

  build(data, colours) {
    this.plot?.destroy();
    this.plot = null;
    this.plotted.replaceChildren();
    this.items = this.lines.map(client => this.item(client, colours.of(client.id)));
    this.legend.replaceChildren(...this.items.map(item => item.element),
      ...this.limits.map(limit => limitItem(limit, colours)));
    if (this.lines.length === 0) {
      this.plotted.replaceChildren(this.empty);
      return;
    }
    this.plot = new uPlot(this.options(colours), data, this.plotted);
  }

  options(colours) {
    const drawn = this.limits.filter(limit => !limit.isFar);
    const colourOf = client => style(`--series-${colours.of(client.id).colour}`);
    return {
      width: widthOf(this.plotted),
      height: HEIGHT,
      padding: [10, () => marginOf(widthOf(this.plotted), drawn), 0, 0],
      legend: { show: false },
      cursor: { sync: { key: 'sluice' }, drag: { x: false, y: false }, points: { size: 6 } },
      scales: { x: { time: true, range: () => this.axis }, y: { range: () => [0, this.top * 1.15] } },
      axes: [
        { ...axis(), space: 70, size: 28, values: (plot, ticks) => ticks.map(tick => this.tick(tick)) },
        { ...axis(), size: 52, space: 36, values: (plot, ticks) => ticks.map(number) },
      ],
      series: [
        {},
        ...this.lines.map(client => (
          { stroke: colourOf(client), width: 2, dash: colours.of(client.id).dash, points: { show: false } })),
      ],
      hooks: {
        setCursor: [plot => this.readAt(plot)],
        drawAxes: [plot => drawLimits(plot, drawn, colourOf)],
        draw: [plot => nameLimits(plot, drawn, style)],
      },
    };
  }

  /** The label of an axis tick. */
  tick(seconds) {
    const [from, to] = this.axis;
    return time(seconds * 1000).slice(0, to - from < SECONDS_UNTIL ? 8 : 5);
  }

  item(client, colour) {
    const name = element('button', 'plain name', callerName(client));
    name.type = 'button';
    name.addEventListener('click', () => this.open(client));
    const value = element('span', 'value');
    name.title = `${callerText(client)} at ${client.endpoint}`;
    const label = element('span', 'label', name, element('span', 'quiet', client.endpoint));
    return { element: element('li', '', swatch(styleOf(colour)), label, value), value };
  }

  /** The legend shows the values under the pointer. Without a pointer, it shows the latest values. */
  readAt(plot) {
    const index = pointedAt(plot);
    this.pointed = index === null
      ? null
      : { at: plot.data[0][index], values: this.lines.map((client, line) => plot.data[line + 1][index]) };
    this.tell();
  }

  tell() {
    const values = this.pointed?.values ?? this.latest;
    this.items?.forEach((item, line) => setText(item.value, valueText(values[line])));
    setText(this.at, this.pointed ? `${this.kind.of}, at ${time(this.pointed.at * 1000)}` : this.kind.of);
    const label = this.lines.length === 0
      ? `${this.kind.title}: ${this.kind.none}`
      : `${this.kind.title}, ${this.kind.of}: a line for each client in the list that follows.`;
    setLabel(this.plotted, label);
  }
}

const valueText = value => (value === null || value === undefined ? UNKNOWN : rate(value));

/** All charts. The charts of dry runs are hidden if there are no dry runs. */
export class Charts {
  colours = { dry: new Colours(), enforced: new Colours() };

  constructor(place, dryPlace, open) {
    this.charts = KINDS.map(kind => new Chart(kind, open));
    this.charts.forEach(chart => (chart.kind.dry ? dryPlace : place).append(chart.element));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { this.stale = true; });
  }

  /** Draws the current figures. Clients are chosen once per interval, and whenever the filters change. */
  draw(model, clients, chosenAnew) {
    const bucket = model.bucket();
    if (chosenAnew || bucket !== this.chosenIn) {
      this.chosenIn = bucket;
      const dry = clients.filter(client => model.isDryRun(client));
      const enforced = clients.filter(client => !model.isDryRun(client));
      this.charts.forEach(chart => chart.choose(model, chart.kind.dry ? dry : enforced));
      this.colours.dry.keep(this.drawn(true));
      this.colours.enforced.keep(this.drawn(false));
      const hasDry = dry.length > 0 || (model.facts.endpoints ?? []).some(one => one.mode === 'dry-run');
      this.charts.forEach(chart => { chart.element.hidden = chart.kind.dry && !hasDry; });
    }
    this.charts.filter(chart => !chart.element.hidden)
      .forEach(chart => chart.draw(model, this.coloursOf(chart), this.stale || chosenAnew));
    this.stale = false;
  }

  coloursOf(chart) {
    return chart.kind.dry ? this.colours.dry : this.colours.enforced;
  }

  drawn(dry) {
    return new Set(this.charts.filter(chart => chart.kind.dry === dry)
      .flatMap(chart => chart.lines.map(client => client.id)));
  }
}
