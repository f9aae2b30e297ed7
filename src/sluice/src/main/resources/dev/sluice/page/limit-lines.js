// Lines for limits in a chart. Each line is dashed in its clients' colours, and labelled with their names.

import { element, swatch } from './elements.js';
import { callerName, limitText } from './format.js';

const FAR = 4;
const DASH = 7;
const GAP = 5;
const LINE = 14;
const LABEL = 2 * LINE;
const LONGEST = 14;
const WIDE = 440;
const MARGIN = 110;
const PAD = 6;

export const styleOf = ({ colour, dash }) => `style-${colour}${dash.length > 0 ? ' dotted' : ''}`;

/**
 * The limits of these clients that count calls, highest first. A limit far above all calls appears in the legend but is
 * not drawn.
 */
export function limitsOf(clients, top) {
  const found = new Map();
  for (const client of clients) {
    const { threshold, periodMillis } = client.line;
    if (threshold > 0 && periodMillis > 0) {
      const height = (threshold * 1000) / periodMillis;
      const limit = found.get(height) ?? { height, texts: new Set(), clients: [], isFar: height > top * FAR };
      limit.texts.add(limitText(client.line.limit, 'calls'));
      limit.clients.push(client);
      found.set(height, limit);
    }
  }
  return Array.from(found.values())
    .map(limit => ({ ...limit, text: Array.from(limit.texts).join(', ') }))
    .sort((a, b) => b.height - a.height);
}

/** The clients with this limit, grouped by endpoint. */
function ownersText({ clients }) {
  const endpoints = new Set(clients.map(client => client.endpoint));
  const names = of => clients.filter(client => client.endpoint === of).map(client => callerName(client)).join(', ');
  return Array.from(endpoints).map(endpoint => `${names(endpoint)} at ${endpoint}`).join('; ');
}

/** The legend entry for a limit. */
export function limitItem(limit, colours) {
  const styles = limit.clients.map(client => styleOf(colours.of(client.id)));
  const owners = element('span', 'quiet owners', ownersText(limit));
  const text = `Limit ${limit.text}${limit.isFar ? ', above the chart' : ''}`;
  return element('li', 'limits', swatch(...styles, ...styles), element('span', 'label', element('span', '', text), owners));
}

/** Draws the lines. */
export function drawLimits(plot, limits, colourOf) {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.lineWidth = 1.5 * ratio;
  limits.forEach(limit => {
    const y = Math.round(plot.valToPos(limit.height, 'y', true));
    limit.clients.forEach((client, index) => {
      const each = (DASH + GAP) * ratio;
      ctx.setLineDash([DASH * ratio, limit.clients.length * each - DASH * ratio]);
      ctx.lineDashOffset = -index * each;
      ctx.strokeStyle = colourOf(client);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    });
  });
  ctx.restore();
}

/** Labels the lines: in the margin, or on the plot if it is too narrow for a margin. */
export function nameLimits(plot, limits, style) {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const right = bbox.left + bbox.width;
  ctx.save();
  ctx.font = `${11 * ratio}px system-ui, "DejaVu Sans", sans-serif`;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  ctx.lineJoin = 'round';
  ctx.lineWidth = 4 * ratio;
  ctx.strokeStyle = style('--card');
  let free = -Infinity;
  limits.forEach(limit => {
    // at most this low, so that the label does not overlap the last time on the axis
    const lowest = bbox.top + bbox.height - LINE * ratio;
    const y = Math.min(lowest, Math.round(plot.valToPos(limit.height, 'y', true)));
    if (hasMargin(plot.width) && y - free >= LABEL * ratio) {
      write(ctx, limit.text, right, y - LINE / 2 * ratio, MARGIN, style('--ink'));
      write(ctx, ownersInShort(limit), right, y + LINE / 2 * ratio, MARGIN, style('--quiet'));
      free = y;
    } else if (!hasMargin(plot.width) && y - free >= LINE * ratio) {
      write(ctx, limit.text, bbox.left, y - LINE / 2 * ratio, bbox.width / ratio, style('--ink'));
      free = y;
    }
  });
  ctx.restore();
}

/**
 * Writes a text with an outline in the background colour, so that it is readable over lines. Truncates it to this
 * width.
 */
function write(ctx, text, left, y, width, colour) {
  const ratio = devicePixelRatio;
  const shown = cut(text, attempt => ctx.measureText(attempt).width <= (width - 2 * PAD) * ratio);
  ctx.strokeText(shown, left + PAD * ratio, y);
  ctx.fillStyle = colour;
  ctx.fillText(shown, left + PAD * ratio, y);
}

function cut(text, fits) {
  let length = text.length;
  while (length > 1 && !fits(length < text.length ? `${text.slice(0, length)}…` : text)) {
    length--;
  }
  return length < text.length ? `${text.slice(0, length)}…` : text;
}

function ownersInShort({ clients }) {
  const names = new Set(clients.map(client => callerName(client)));
  const [first] = names;
  return names.size > 1 ? `${names.size} clients` : first.length > LONGEST ? `${first.slice(0, LONGEST - 1)}…` : first;
}

/** The width of the margin to the right of a plot, for the names of limits. */
export const marginOf = (width, limits) => (limits.length > 0 && hasMargin(width) ? MARGIN : 20);

const hasMargin = width => width >= WIDE;
