// The state of the page, from data.json and the events that follow it.

import { callerText } from './format.js';

export const ALLOWED = 0;
export const REFUSED = 1;
export const WOULD_REFUSE = 2;
/** The kind of allowed calls that count for clients at another endpoint that also applied. */
const ELSEWHERE = 3;

/** The part of its limit from which a client counts as near the limit. */
export const NEAR = 0.8;

const MINUTE = 60000;

// The JSON contains times such as 2026-11-23T13:00:00Z. The scripts use milliseconds since 1970.
const MOMENTS = new Set(['now', 'since', 'until', 'at', 'setAt', 'loadedAt', 'refusedAt', 'unavailableSince', 'lastAt', 'resetAt']);

/** Parses JSON from the server. */
export function read(json) {
  return JSON.parse(json, (name, value) => (MOMENTS.has(name) ? Date.parse(value) : value));
}

export class Model {
  facts = null;
  clients = new Map();
  counts = new Map();

  /**
   * Applies a complete document, or the changes since the previous one. Returns whether the endpoints in force have
   * changed.
   */
  take(message) {
    if (message.full) {
      this.facts = {};
      this.clients.clear();
      this.counts.clear();
    }
    if (this.facts === null) {
      return false;
    }
    const { traffic: { counts, clients, gone }, endpoints, ...facts } = message;
    Object.assign(this.facts, facts);
    this.skew = Date.now() - message.now;
    if (endpoints) {
      this.facts.endpoints = endpoints;
    }
    gone.forEach(id => this.clients.delete(id));
    clients.forEach(client => this.merge(this.clients, client.id, client));
    counts.forEach(endpoint => this.merge(this.counts, endpoint.id, endpoint));
    this.forgetOld();
    return Boolean(endpoints);
  }

  merge(all, id, { history, ...others }) {
    const known = all.get(id) ?? { history: new Map() };
    Object.assign(known, others);
    history.forEach(([bucket, ...counts]) => known.history.set(bucket, counts));
    all.set(id, known);
  }

  forgetOld() {
    const oldest = this.bucket() - this.facts.watch.buckets;
    for (const all of [this.clients, this.counts]) {
      for (const { history } of all.values()) {
        for (const bucket of history.keys()) {
          if (bucket > oldest) {
            break;
          }
          history.delete(bucket);
        }
      }
    }
  }

  /** The time on the server. */
  now() {
    return Date.now() - this.skew;
  }

  /** The number of the current interval. */
  bucket() {
    return Math.floor(this.facts.now / this.facts.watch.bucketMillis);
  }

  /** Calls of one kind in the latest intervals, including the current one. */
  sum(item, kind, buckets) {
    const from = this.bucket() - buckets;
    let sum = 0;
    for (const [bucket, counts] of item.history) {
      if (bucket > from) {
        sum += counts[kind];
      }
    }
    return sum;
  }

  minute(item, kind) {
    return this.sum(item, kind, Math.round(MINUTE / this.facts.watch.bucketMillis));
  }

  all(item, kind) {
    return this.sum(item, kind, this.facts.watch.buckets);
  }

  /** Calls per second over the last ten seconds. A call counts once, even if several endpoints applied to it. */
  rate(kind) {
    let rate = 0;
    this.counts.forEach(endpoint => {
      rate += this.rateOf(endpoint, kind) - (kind === ALLOWED ? this.rateOf(endpoint, ELSEWHERE) : 0);
    });
    return rate;
  }

  /** The calls per second of one endpoint or client. */
  rateOf(item, kind) {
    const spanned = 1;
    const begun = Math.max(this.facts.watch.since, (this.bucket() - spanned) * this.facts.watch.bucketMillis);
    return (this.sum(item, kind, spanned + 1) * 1000) / Math.max(1000, this.facts.now - begun);
  }

  /** The used part of a client's limit; 0 once the limit has been reset. */
  part(client) {
    return client.capacity > 0 ? this.used(client) / client.capacity : 0;
  }

  used(client) {
    return client.resetAt > this.now() ? client.used : 0;
  }

  /**
   * The time in which a client was refused repeatedly, or would have been refused in a dry run. It starts with the
   * first interval after the latest minute without refusals. If there is no such minute, it starts with the oldest
   * interval, but not before this instance started to watch. The start is 0 if there were no refusals. The time has
   * ended if there were no refusals in the last minute.
   */
  episode(client) {
    const minute = Math.round(MINUTE / this.facts.watch.bucketMillis);
    let since = 0;
    let last = 0;
    for (const [bucket, counts] of client.history) {
      if (counts[REFUSED] + counts[WOULD_REFUSE] > 0) {
        since = bucket - last > minute ? bucket : since;
        last = bucket;
      }
    }
    const { watch: { since: watchingSince, bucketMillis } } = this.facts;
    return {
      since: last === 0 ? 0 : Math.max(since * bucketMillis, watchingSince),
      until: client.refusals[0]?.at ?? (last + 1) * bucketMillis,
      isOver: this.bucket() - last > minute,
    };
  }

  endpoint(id) {
    return (this.facts.endpoints ?? []).find(endpoint => endpoint.id === id);
  }

  /** The unit in which the limits of an endpoint count: calls, or permits if not every call costs 1. */
  unit(id) {
    return this.endpoint(id)?.cost ? 'permits' : 'calls';
  }

  /** Whether this instance has watched for less time than the page covers. */
  isYoung() {
    const { now, watch: { since: watchingSince, buckets, bucketMillis } } = this.facts;
    return now - watchingSince < (buckets - 1) * bucketMillis;
  }

  /** Whether there is anything to show now, such as a call in the last minute or a limit in use. */
  isActive(client) {
    return this.used(client) > 0 || this.minute(client, ALLOWED) + this.minute(client, REFUSED)
      + this.minute(client, WOULD_REFUSE) > 0;
  }

  isDryRun(client) {
    return this.endpoint(client.endpoint)?.mode === 'dry-run' || this.all(client, WOULD_REFUSE) > 0;
  }

  /** The clients that match the filters. */
  chosen({ endpoint, client }) {
    const part = client.trim().toLowerCase();
    return Array.from(this.clients.values()).filter(one =>
      (endpoint === '' || one.endpoint === endpoint)
      && (part === '' || callerText(one).toLowerCase().includes(part)));
  }
}
