package dev.sluice.internal.limiter.sync;

import dev.sluice.CounterKey;
import dev.sluice.Decision.Outcome;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.internal.limiter.account.Outstanding.Why;
import dev.sluice.internal.limiter.counter.PendingCall.Reason;
import dev.sluice.internal.limiter.counter.PendingLog;
import dev.sluice.internal.limiter.ledger.BatchInFlight.Answered;
import dev.sluice.internal.text.EnumWord;
import dev.sluice.internal.text.SafeText;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the exchanges with the store and the pending calls. Callers check whether the log {@code wants} a line before
 * they build it. Exceptions from a logger are ignored. Thread-safe.
 */
public final class ExchangeLog {

    private final Logger exchanges;
    private final Logger pending;
    private final Logger accounts;

    public ExchangeLog() {
        this(
                LoggerFactory.getLogger("dev.sluice.exchange"),
                LoggerFactory.getLogger("dev.sluice.pending"),
                LoggerFactory.getLogger("dev.sluice.account"));
    }

    /**
     * Creates a log of exchanges, news and calls that were pending. It logs these at DEBUG, and each account of an
     * exchange at TRACE.
     *
     * @param accounts the logger that records stage changes of accounts at DEBUG
     */
    ExchangeLog(Logger exchanges, Logger pending, Logger accounts) {
        this.exchanges = exchanges;
        this.pending = pending;
        this.accounts = accounts;
    }

    Logger accounts() {
        return accounts;
    }

    /**
     * Logs that other instances have recalled or returned permits, and how many accounts of this instance are affected
     * by the news.
     */
    void heard(News news, int concerned) {
        if (exchanges.isDebugEnabled()) {
            int named = news.keys().size();
            safely(() -> exchanges.debug(
                    "News: {} {}; {} of them {} this instance",
                    named == 1 ? "1 counter was" : named + " counters were",
                    EnumWord.of(news.kind()),
                    concerned,
                    concerned == 1 ? "concerns" : "concern"));
        }
    }

    /** Logs that the store's state has changed. */
    void storeIs(String state) {
        safely(() -> exchanges.debug("The store {}", state));
    }

    boolean wantsExchanges() {
        return exchanges.isDebugEnabled();
    }

    boolean wantsPending() {
        return pending.isDebugEnabled();
    }

    /** Logs that the store has answered a batch with statements for the given accounts. */
    void logReply(Batch batch, List<Answered> accounts, Duration time) {
        safely(() -> {
            long sequence = batch.sequence();
            String took = PendingLog.millis(time.toNanos());
            String summary = summary(batch.statements().size(), accounts);
            exchanges.debug("Exchange {} took {}: {}", sequence, took, summary);
            for (Answered one : accounts) {
                if (exchanges.isTraceEnabled()) {
                    exchanges.trace("Exchange {} ({}), {}", sequence, took, words(one));
                }
            }
        });
    }

    void failed(Batch batch, String cause, boolean isSentAgain, Duration time) {
        String next = isSentAgain ? "it will be retried" : "its uses will be reported again";
        String took = PendingLog.millis(time.toNanos());
        safely(() -> exchanges.debug(
                "Exchange {} failed after {}: {}; {}", batch.sequence(), took, SafeText.line(cause), next));
    }

    /** Logs the decision on a call that was pending. */
    void wasPending(CounterKey key, long need, Reason reason, String took, Outcome outcome, String whence) {
        safely(() -> pending.debug("{}", PendingLog.line(key, need, reason, took, outcome) + whence));
    }

    private static String summary(int counters, List<Answered> accounts) {
        if (counters == 0) {
            return "an empty batch";
        }
        Map<Why, Long> reasons = accounts.stream()
                .collect(Collectors.groupingBy(
                        one -> one.made().why(), () -> new EnumMap<>(Why.class), Collectors.counting()));
        if (counters > accounts.size()) { // statements for counters that have been evicted since then
            reasons.merge(Why.LOST, (long) counters - accounts.size(), Long::sum);
        }
        String why = reasons.entrySet().stream()
                .map(reason -> EnumWord.of(reason.getKey()) + ": " + reason.getValue())
                .collect(Collectors.joining(", "));
        long awaited = count(accounts, one -> one.made().statement().needed().all() > 0);
        long granted = accounts.stream().mapToLong(one -> one.grant().granted()).sum();
        long recalled =
                count(accounts, one -> one.grant().needsRecall(one.made().statement()));
        return (counters == 1 ? "1 counter (" : counters + " counters (") + why + "), " + awaited + " awaited, "
                + granted + " granted, " + recalled + " recalled from others";
    }

    private static long count(List<Answered> accounts, Predicate<Answered> which) {
        return accounts.stream().filter(which).count();
    }

    private static String words(Answered one) {
        Statement statement = one.made().statement();
        return EnumWord.of(one.made().why()) + ": used " + statement.used() + ", held " + statement.held()
                + ", needed "
                + statement.needed().all() + ", wanted " + statement.wanted() + "; granted "
                + one.grant().granted() + ", left "
                + one.left() + ", held elsewhere " + one.grant().elsewhere() + "; "
                + one.key().text();
    }

    private static void safely(Runnable saying) {
        try {
            saying.run();
        } catch (RuntimeException | Error e) {
            return; // the logger itself failed, so there is nowhere to report the failure
        }
    }
}
