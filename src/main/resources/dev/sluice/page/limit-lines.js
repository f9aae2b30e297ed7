// The lines of limits in a chart: each is dashed in the colours of the clients whose limit it is, and names them.

import { element, swatch } from './elements.js';
import { callerName, limitText } from './format.js';

const FAR = 4;
const DASH = 7;
const GAP = 5;
const MOST_NAMES = 2;
const WIDEST = 0.6;

export const styleOf = ({ colour, dash }) => `style-${colour}${dash.length > 0 ? ' dotted' : ''}`;

/** The limits of these clients, the highest first; one far above what is called is named only, and not drawn. */
export function limitsOf(clients, top) {
  const found = new Map();
  for (const client of clients) {
    if (client.lineLimit > 0 && client.linePeriodMillis > 0) {
      const height = (client.lineLimit * 1000) / client.linePeriodMillis;
      const limit = found.get(height) ?? { height, texts: new Set(), clients: [], isFar: height > top * FAR };
      limit.texts.add(limitText({ limit: client.lineLimit, periodMillis: client.linePeriodMillis }));
      limit.clients.push(client);
      found.set(height, limit);
    }
  }
  return Array.from(found.values())
    .map(limit => ({ ...limit, text: Array.from(limit.texts).join(', ') }))
    .sort((a, b) => b.height - a.height);
}

/** Who has it, as the legend says: by endpoint, where they are of several. */
function ownersText({ clients }) {
  const endpoints = new Set(clients.map(client => client.endpoint));
  const names = of => clients.filter(client => client.endpoint === of).map(client => callerName(client.caller)).join(', ');
  return Array.from(endpoints).map(endpoint => `${names(endpoint)} at ${endpoint}`).join('; ');
}

/** The entry of a legend. */
export function limitItem(limit, colours) {
  const styles = limit.clients.map(client => styleOf(colours.of(client.id)));
  const owners = element('span', 'quiet owners', ownersText(limit));
  const text = `Limit ${limit.text}${limit.isFar ? ', above the chart' : ''}`;
  return element('li', 'limits', swatch(...styles, ...styles), element('span', 'label', element('span', '', text), owners));
}

/** Draws the lines over a plot, from the point on where it shows anything. */
export function drawLimits(plot, limits, from, colourOf, style) {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = `${11 * ratio}px system-ui, "DejaVu Sans", sans-serif`;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  let free = -Infinity;
  limits.forEach(limit => {
    const y = Math.round(plot.valToPos(limit.height, 'y', true));
    limit.clients.forEach((client, index) => {
      const each = (DASH + GAP) * ratio;
      ctx.setLineDash([DASH * ratio, limit.clients.length * each - DASH * ratio]);
      ctx.lineDashOffset = -index * each;
      ctx.lineWidth = 1.5 * ratio;
      ctx.strokeStyle = colourOf(client);
      ctx.beginPath();
      ctx.moveTo(from, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    });
    if (y - free > 15 * ratio) {
      nameLine(ctx, limit, from + 6 * ratio, y, bbox.left + bbox.width - from, style);
      free = y;
    }
  });
  ctx.restore();
}

/** The name of a line stands on it. */
function nameLine(ctx, limit, x, y, room, style) {
  const names = Array.from(new Set(limit.clients.map(client => callerName(client.caller))));
  const owners = names.length <= MOST_NAMES ? names.join(', ') : `${names.length} clients`;
  const long = `${owners}: ${limit.text}`;
  const text = ctx.measureText(long).width < room * WIDEST ? long : limit.text;
  const pad = 5 * devicePixelRatio;
  const height = 16 * devicePixelRatio;
  ctx.globalAlpha = 0.88;
  ctx.fillStyle = style('--card');
  ctx.fillRect(x, y - height / 2, ctx.measureText(text).width + 2 * pad, height);
  ctx.globalAlpha = 1;
  ctx.fillStyle = style('--quiet');
  ctx.fillText(text, x + pad, y);
}
