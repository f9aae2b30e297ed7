package dev.sluice;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Records events, each as a word, except decisions and exchanges with nothing to report. */
public final class RecordingListener implements RateLimitListener {

    private final List<String> heard = Collections.synchronizedList(new ArrayList<>());

    /** The events since the last call of this method. */
    public List<String> take() {
        synchronized (heard) {
            List<String> taken = List.copyOf(heard);
            heard.clear();
            return taken;
        }
    }

    @Override
    public void onDecision(Call call, Decision decision) {
        heard.add(decision.outcome().name());
    }

    @Override
    public void onStoreWait(long waitedNanos) {
        heard.add("waited " + waitedNanos / 1_000_000 + " ms");
    }

    @Override
    public void onOutcomesAwaited(long waitedNanos) {
        heard.add("awaited outcomes " + waitedNanos / 1_000_000 + " ms");
    }

    @Override
    public void onEviction() {
        heard.add("evicted");
    }

    @Override
    public void onCounters(int counters) {
        heard.add("counters " + counters);
    }

    @Override
    public void onExchange(ExchangeReport exchange) {
        if (exchange.counters() > 0) {
            heard.add("exchange of " + exchange.counters() + ", awaited " + exchange.awaited() + ", granted "
                    + exchange.granted() + ", " + exchange.took().toMillis() + " ms");
        }
    }

    @Override
    public void onExchangeFailed(Duration took, int counters, String cause) {
        heard.add("failed " + counters + ": " + cause);
    }

    @Override
    public void onRecall(int counters) {
        heard.add("recall " + counters);
    }

    @Override
    public void onStoreUnavailable(String cause) {
        heard.add("unavailable: " + cause);
    }

    @Override
    public void onStoreBack(Duration outage) {
        heard.add("back after " + outage.toMillis() + " ms");
    }

    @Override
    public void onReload(List<Endpoint> endpoints) {
        heard.add("reload " + endpoints.stream().map(Endpoint::id).toList());
    }

    @Override
    public void onReloadRefused(LimitsException mistakes) {
        heard.add("refused " + mistakes.problems().size());
    }

    @Override
    public void onClientTable(String file, int clients) {
        heard.add("table " + clients);
    }

    @Override
    public void onClientOverrides(int limits) {
        heard.add("overrides " + limits);
    }

    @Override
    public void onBlock(Block block) {
        heard.add("blocked at " + block.key().endpoint());
    }

    @Override
    public void onBlockEnd(Block block) {
        heard.add("no longer blocked at " + block.key().endpoint());
    }

    @Override
    public void onOverrideChange(OverrideChange change) {
        heard.add("override of " + change.client() + " at " + change.endpoint() + ": " + change.limit());
    }
}
