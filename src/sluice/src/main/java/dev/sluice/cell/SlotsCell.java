package dev.sluice.cell;

import dev.sluice.cell.CellState.Lease;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The counter of a concurrency limit. It stores the slots that the calls of each instance occupy. Not thread-safe.
 */
final class SlotsCell extends Cell {
    private final Map<String, Lease> leases = new LinkedHashMap<>();

    SlotsCell() {}

    SlotsCell(CellState.Slots slots) {
        slots.leases().forEach(lease -> leases.put(lease.instance(), lease));
    }

    @Override
    public boolean counts(Rule rule) {
        return rule instanceof Rule.Slots;
    }

    @Override
    CellState.Contents contents() {
        return new CellState.Slots(List.copyOf(leases.values()));
    }

    @Override
    public void use(Batch batch, Statement statement, long nowMillis) {
        Rule.Slots rule = (Rule.Slots) statement.rule();
        String instance = batch.instance();
        leases.values().removeIf(lease -> lease.untilMillis() <= nowMillis);
        leases.remove(instance);
        if (rule.inUse() > 0) {
            long asOfMillis = Math.min(rule.asOfMillis(), nowMillis);
            leases.put(instance, new Lease(instance, rule.inUse(), asOfMillis, nowMillis + statement.leaseMillis()));
        }
    }

    @Override
    public void useNow(String instance, Statement statement, long calls, long nowMillis) {
        if (calls > 0) {
            Lease lease = leases.getOrDefault(instance, new Lease(instance, 0, nowMillis, 0));
            long untilMillis = nowMillis + statement.leaseMillis();
            leases.put(instance, new Lease(instance, lease.slots() + calls, lease.asOfMillis(), untilMillis));
        }
    }

    @Override
    boolean comesBackByLapse() {
        return true;
    }

    @Override
    void count(String instance, long calls, long atMillis, long nowMillis) {
        throw new IllegalStateException("slots expire with their own lease");
    }

    @Override
    public long left(Statement statement, List<Cell> before, long nowMillis) {
        return ((Rule.Slots) statement.rule()).most() - total(nowMillis);
    }

    @Override
    public long total(long nowMillis) {
        return leases.values().stream().mapToLong(Lease::slots).sum();
    }

    @Override
    long occupiedElsewhere(String instance, Statement statement) {
        long since = ((Rule.Slots) statement.rule()).sinceMillis();
        return leases.values().stream()
                .filter(lease -> !lease.instance().equals(instance))
                .filter(lease -> since == 0 || lease.asOfMillis() < since)
                .mapToLong(Lease::slots)
                .sum();
    }

    @Override
    Stream<String> occupants() {
        return leases.keySet().stream();
    }
}
