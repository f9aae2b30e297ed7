// Follows the server: all data at first, then its events. Where too many follow, or none come, the data again.

const POLL_MILLIS = 5000;
const SILENCE_MILLIS = 8000;

export class Live {
  constructor(take, tell) {
    this.take = take;
    this.tell = tell;
    this.heardAt = Date.now();
    this.follow();
    setInterval(() => this.watch(), 1000);
    document.addEventListener('visibilitychange', () => this.rest());
  }

  /** A hidden page asks for nothing; once it is visible again, it asks for everything. */
  rest() {
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
      this.take(JSON.parse(event.data));
      this.tell('well', 'Live');
    });
    this.source.addEventListener('error', () => {
      if (this.source.readyState === EventSource.CLOSED) {
        this.poll();
      } else {
        this.tell('warn', 'Connecting again');
      }
    });
  }

  /** A stream that has fallen silent is begun anew: a proxy may hold it back, or a laptop slept. */
  watch() {
    if (!document.hidden && !this.polling && Date.now() - this.heardAt > SILENCE_MILLIS) {
      this.tell('warn', 'Connecting again');
      this.follow();
    }
  }

  async poll() {
    this.polling = true;
    try {
      const answer = await fetch('data.json', { cache: 'no-store' });
      if (!answer.ok) {
        throw new Error(answer.status === 403 ? 'This page may no longer be read' : `The server answers ${answer.status}`);
      }
      this.take(await answer.json());
      this.tell('well', 'Every five seconds');
    } catch (failure) {
      this.tell('bad', failure instanceof TypeError ? 'The instance does not answer' : failure.message);
    }
    setTimeout(() => this.rest(), POLL_MILLIS);
  }
}
