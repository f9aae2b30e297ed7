// Receives data from the server: as events, or by polling if the server refuses another event stream.

import { read } from './model.js';

const POLL_MILLIS = 5000;
const STALE_MILLIS = 8000;

export class Live {
  constructor(take, tell) {
    this.take = take;
    this.tell = tell;
    this.heardAt = Date.now();
    this.follow();
    setInterval(() => this.watch(), 1000);
    document.addEventListener('visibilitychange', () => this.followIfVisible());
  }

  /** A hidden page receives nothing. When it becomes visible again, it starts with all data. */
  followIfVisible() {
    if (document.hidden) {
      this.source.close();
    } else {
      this.follow();
    }
  }

  follow() {
    this.source?.close();
    this.heardAt = Date.now();
    this.source = new EventSource('events');
    this.source.addEventListener('message', event => {
      this.heardAt = Date.now();
      this.polling = false;
      this.take(read(event.data));
      this.tell('well', 'Live');
    });
    this.source.addEventListener('error', () => {
      if (this.source.readyState === EventSource.CLOSED) {
        this.poll();
      } else {
        this.tell('warn', 'Reconnecting to the instance');
      }
    });
  }

  /** Restarts a stale stream, for example if a proxy buffers it, or the laptop was asleep. */
  watch() {
    if (!document.hidden && !this.polling && Date.now() - this.heardAt > STALE_MILLIS) {
      this.tell('warn', 'Reconnecting to the instance');
      this.follow();
    }
  }

  async poll() {
    this.polling = true;
    try {
      const answer = await fetch('data.json', { cache: 'no-store' });
      if (!answer.ok) {
        throw new Error(answer.status === 403 ? 'You may no longer read this page' : `The server answered ${answer.status}`);
      }
      this.take(read(await answer.text()));
      this.tell('well', 'Updated every 5 seconds');
    } catch (failure) {
      this.tell('bad', failure instanceof TypeError ? 'The instance does not respond' : failure.message);
    }
    setTimeout(() => this.followIfVisible(), POLL_MILLIS);
  }
}
