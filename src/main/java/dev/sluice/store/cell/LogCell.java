package dev.sluice.store.cell;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.Batch.Use;
import dev.sluice.store.cell.CellState.Entry;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/** The counter of a sliding log: the times of calls, and their instances. Not thread-safe. */
final class LogCell extends Cell {
    private final Deque<Entry> entries;

    LogCell() {
        this.entries = new ArrayDeque<>();
    }

    LogCell(CellState.Log log) {
        this.entries = new ArrayDeque<>(log.entries());
    }

    @Override
    public boolean counts(Rule rule) {
        return rule instanceof Rule.Log;
    }

    @Override
    CellState.Contents contents() {
        return new CellState.Log(List.copyOf(entries));
    }

    @Override
    public void use(Batch batch, Statement statement, long nowMillis) {
        Rule.Log rule = (Rule.Log) statement.rule();
        String instance = batch.instance();
        comeBack(nowMillis, rule.periodMillis());
        for (Use use : statement.uses()) {
            if (use.agoMillis() < rule.periodMillis()) {
                remove(instance, -use.count(), nowMillis - use.agoMillis());
            }
            for (long i = 0; i < Math.min(use.count(), rule.most()); i++) {
                add(new Entry(nowMillis - use.agoMillis(), instance));
            }
        }
        while (!entries.isEmpty() && entries.getFirst().timeMillis() <= nowMillis - rule.periodMillis()) {
            entries.removeFirst();
        }
    }

    /** If the clock has stepped back by more than a period, calls in the future count as now. */
    private void comeBack(long nowMillis, long periodMillis) {
        if (!entries.isEmpty() && entries.getLast().timeMillis() - nowMillis > periodMillis) {
            List<Entry> all = List.copyOf(entries);
            entries.clear();
            all.forEach(one ->
                    add(one.timeMillis() - nowMillis > periodMillis ? new Entry(nowMillis, one.instance()) : one));
        }
    }

    @Override
    public void useNow(String instance, Statement statement, long calls, long nowMillis) {
        for (long i = 0; i < calls; i++) {
            add(new Entry(nowMillis, instance));
        }
    }

    /** Inserts an entry by its time. */
    private void add(Entry entry) {
        Deque<Entry> later = new ArrayDeque<>();
        while (!entries.isEmpty() && entries.getLast().timeMillis() > entry.timeMillis()) {
            later.addFirst(entries.removeLast());
        }
        entries.addLast(entry);
        entries.addAll(later);
    }

    /** Removes the calls of an instance that are nearest to this time. */
    private void remove(String instance, long calls, long atMillis) {
        if (calls > 0) {
            entries.stream()
                    .filter(entry -> entry.instance().equals(instance))
                    .sorted(Comparator.comparingLong(entry -> Math.abs(entry.timeMillis() - atMillis)))
                    .limit(calls)
                    .toList()
                    .forEach(entries::remove);
        }
    }

    @Override
    public long left(Statement statement, List<Cell> before, long nowMillis) {
        return ((Rule.Log) statement.rule()).most() - entries.size();
    }

    @Override
    public long total(long nowMillis) {
        return entries.size();
    }

    @Override
    public List<Long> details(List<Cell> before, long nowMillis) {
        return List.of(entries.isEmpty() ? 0 : entries.getFirst().timeMillis());
    }
}
