// Wires the page together: messages from the server update the model, and each part draws from the model.

import { Charts } from './charts.js';
import { Clients } from './clients.js';
import { Details } from './details.js';
import { byId, setText } from './elements.js';
import { number } from './format.js';
import { Live } from './live.js';
import { Model } from './model.js';
import {
  drawBanners, drawBlocked, drawCounts, drawEndpoints, drawHead, drawHealth, drawLink, drawOwn, drawTiles, drawWatched,
} from './overview.js';

const model = new Model();
const details = new Details();
const open = client => details.open(model, client);
const charts = new Charts(byId('charts'), byId('dry-charts'), open);
const clients = new Clients(open);
const filters = { endpoint: '', client: '' };

function draw(chosenAnew) {
  if (model.facts === null || document.hidden) {
    return;
  }
  const chosen = model.chosen(filters);
  drawHead(model);
  drawBanners(model);
  drawTiles(model);
  drawWatched(model);
  charts.draw(model, chosen, chosenAnew);
  const isFiltered = filters.endpoint !== '' || filters.client.trim() !== '';
  clients.draw(model, chosen, isFiltered, chosenAnew);
  drawCounts(model);
  drawHealth(model);
  details.draw(model, false);
  setText(byId('filtered'), isFiltered
    ? `${number(chosen.length)} of ${number(model.clients.size)} callers match the filter.` : '');
}

function filter() {
  filters.endpoint = byId('filter-endpoint').value;
  filters.client = byId('filter-client').value;
  draw(true);
}

byId('filters').addEventListener('input', filter);
byId('filters').addEventListener('submit', event => event.preventDefault());
document.addEventListener('visibilitychange', () => draw(true));

new Live(message => {
  const endpointsChanged = model.take(message);
  if (model.facts === null) {
    return;
  }
  if (endpointsChanged) {
    drawEndpoints(model);
  }
  if (message.blocks) {
    drawBlocked(model);
  }
  if (message.overrides) {
    drawOwn(model);
  }
  draw(Boolean(message.full));
}, drawLink);
