// Code shared by the charts of the page and those of a rehearsal.

/** The number of line colours. */
export const COLOURS = 8;
export const HEIGHT = 216;

/** A property from the style sheet, such as a colour. */
export const style = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export const widthOf = plotted => Math.max(200, Math.floor(plotted.clientWidth));

/** The options shared by both axes. */
export const axis = () => ({
  stroke: style('--quiet'),
  font: '12px system-ui, "DejaVu Sans", sans-serif',
  grid: { stroke: style('--grid'), width: 1 },
  ticks: { show: false },
});

/** The index of the point in time under the pointer; null if there is none. */
export const pointedAt = plot => (plot.cursor.left < 0 ? null : plot.cursor.idx ?? null);
