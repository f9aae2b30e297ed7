package dev.sluice.limiter.exchange;

import dev.sluice.CounterKey;
import dev.sluice.Decision.Outcome;
import dev.sluice.exchange.Batch;
import dev.sluice.limiter.account.Due.Why;
import dev.sluice.limiter.counter.Sharing;
import dev.sluice.limiter.ledger.Ledger;
import dev.sluice.text.SafeText;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says what was exchanged with the store and which calls waited for it: to the log, and to whoever watches. Nothing is
 * built while nobody wants to know. What a logger or a watcher throws stops here, so that no exchange and no call
 * depends on it. Keys of counters are escaped already. Safe for any threads.
 */
final class ExchangeLog {

    private static final double NANOS_A_MILLI = 1e6;

    /** DEBUG: each exchange. TRACE: each account in it. */
    private final Logger exchanges;

    /** DEBUG: each call that waited. */
    private final Logger waits;

    private volatile Sharing.@Nullable Watch watch;

    /** With the loggers that operators know. */
    ExchangeLog() {
        this(LoggerFactory.getLogger("dev.sluice.exchange"), LoggerFactory.getLogger("dev.sluice.wait"));
    }

    ExchangeLog(Logger exchanges, Logger waits) {
        this.exchanges = exchanges;
        this.waits = waits;
    }

    /** Lets somebody watch from now on; {@code null} for nobody. */
    void watchedBy(Sharing.@Nullable Watch watcher) {
        watch = watcher;
    }

    /** Whether anybody wants to know of exchanges. */
    boolean wantsExchanges() {
        return watch != null || exchanges.isDebugEnabled();
    }

    /** Whether anybody wants to know of calls that wait. */
    boolean wantsWaits() {
        return watch != null || waits.isDebugEnabled();
    }

    /** The store has answered a batch; these are its accounts. */
    void answered(BatchSender.Answer answer, Batch.Reply reply, List<Ledger.Answered> accounts, long tookNanos) {
        safely(() -> {
            exchanges.debug("Exchange {} took {}: {}", answer.batch().sequence(), millis(tookNanos), summary(answer, accounts));
            for (Ledger.Answered one : accounts) {
                if (exchanges.isTraceEnabled()) {
                    exchanges.trace("{}", line(answer, one));
                }
                Sharing.Watch now = watch;
                if (now != null && now.follows(one.key())) {
                    now.saw(one.key(), reply.nowMillis(), line(answer, one) + " (" + millis(tookNanos) + ")");
                }
            }
        });
    }

    /** An attempt to exchange has failed. */
    void failed(BatchSender.Answer answer, String cause, boolean isSentAgain, long tookNanos) {
        safely(() -> exchanges.debug(
                "Exchange {} failed after {}: {}; {}",
                answer.batch().sequence(),
                millis(tookNanos),
                SafeText.line(cause),
                isSentAgain ? "it is sent again" : "what it reported is reported anew"));
    }

    /** A call that waited was decided. */
    void waited(CounterKey key, long need, long nanos, boolean isTooLong, Outcome outcome, long nowMillis) {
        safely(() -> {
            String line = "A call waited " + millis(nanos) + (isTooLong ? ", all of sync.timeout," : "") + " for "
                    + need + (need == 1 ? " permit: " : " permits: ") + words(outcome.name()) + "; " + key.text();
            waits.debug("{}", line);
            Sharing.Watch now = watch;
            if (now != null && now.follows(key)) {
                now.saw(key, nowMillis, line);
            }
        });
    }

    private static String summary(BatchSender.Answer answer, List<Ledger.Answered> accounts) {
        int counters = answer.batch().claims().size();
        if (counters == 0) {
            return "a heartbeat";
        }
        Map<Why, Integer> reasons = new EnumMap<>(Why.class);
        if (counters > accounts.size()) {
            reasons.put(Why.LOST, counters - accounts.size()); // reported again for counters that have left memory
        }
        int awaited = 0;
        int recalled = 0;
        long granted = 0;
        for (Ledger.Answered one : accounts) {
            reasons.merge(one.made().why(), 1, Integer::sum);
            awaited += one.made().claim().needed().all() > 0 ? 1 : 0;
            recalled += one.grant().needsRecall(one.made().claim()) ? 1 : 0;
            granted += one.grant().granted();
        }
        String why = reasons.entrySet().stream()
                .map(reason -> reason.getKey().words() + ": " + reason.getValue())
                .collect(Collectors.joining(", "));
        return counters + (counters == 1 ? " counter (" : " counters (") + why + "), " + awaited + " awaited, " + granted
                + " granted, " + recalled + " recalled";
    }

    private static String line(BatchSender.Answer answer, Ledger.Answered one) {
        Batch.Claim claim = one.made().claim();
        return "Exchange " + answer.batch().sequence() + ", " + one.made().why().words() + ": used " + claim.used()
                + ", held " + claim.held() + ", needed " + claim.needed().all() + ", wanted " + claim.wanted()
                + "; granted " + one.grant().granted() + ", left " + one.left() + ", held elsewhere "
                + one.grant().elsewhere() + "; " + one.key().text();
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos / NANOS_A_MILLI);
    }

    private static String words(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static void safely(Runnable saying) {
        try {
            saying.run();
        } catch (RuntimeException e) {
            return; // there is nowhere to say it
        }
    }
}
