package dev.sluice.cell;

import dev.sluice.cell.CellState.Entry;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.Batch.Use;
import dev.sluice.exchange.TimeToLive;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The counter of a sliding log. Each entry has a time, an instance and a number of calls. Because an expensive call
 * only adds its cost to that number, it takes no more memory or time than a cheap one. Not thread-safe.
 */
final class LogCell extends Cell {
    /** The entries by time, oldest first. */
    private final List<Entry> entries;

    private long calls;

    LogCell() {
        this.entries = new ArrayList<>();
    }

    LogCell(CellState.Log log) {
        this.entries = new ArrayList<>(log.entries());
        this.calls = entries.stream().mapToLong(Entry::calls).sum();
    }

    @Override
    public boolean counts(Rule rule) {
        return rule instanceof Rule.Log;
    }

    @Override
    CellState.Contents contents() {
        return new CellState.Log(entries);
    }

    @Override
    public void use(Batch batch, Statement statement, long nowMillis) {
        Rule.Log rule = (Rule.Log) statement.rule();
        String instance = batch.instance();
        comeBack(nowMillis, rule.periodMillis());
        for (Use use : statement.uses()) {
            long atMillis = nowMillis - use.agoMillis();
            if (use.count() > 0) {
                add(atMillis, instance, use.count());
            } else if (use.agoMillis() < rule.periodMillis()) {
                remove(instance, -use.count(), atMillis);
            }
        }
        removeOld(nowMillis - rule.periodMillis());
    }

    /** If the clock has been set back by more than one period, treats calls in the future as if they were made now. */
    private void comeBack(long nowMillis, long periodMillis) {
        if (!entries.isEmpty() && entries.get(entries.size() - 1).timeMillis() - nowMillis > periodMillis) {
            List<Entry> all = List.copyOf(entries);
            entries.clear();
            calls = 0;
            all.forEach(one -> add(
                    one.timeMillis() - nowMillis > periodMillis ? nowMillis : one.timeMillis(),
                    one.instance(),
                    one.calls()));
        }
    }

    private void removeOld(long lastMillis) {
        int old = 0;
        while (old < entries.size() && entries.get(old).timeMillis() <= lastMillis) {
            calls -= entries.get(old).calls();
            old++;
        }
        entries.subList(0, old).clear();
    }

    /**
     * Removes the latest calls, because they would count for the longest time. Does not remove lapsed permits. The log
     * contains them as the latest calls of the instance that held them.
     */
    @Override
    long receive(Statement statement, long nowMillis) {
        long left = Math.max(0, statement.gift().calls());
        Map<String, Long> stay = left == 0 ? Map.of() : lapsedByInstance();
        long given = 0;
        for (int i = entries.size() - 1; i >= 0 && left > 0; i--) {
            Entry entry = entries.get(i);
            long stays = Math.min(stay.getOrDefault(entry.instance(), 0L), entry.calls());
            if (stays > 0) {
                stay.merge(entry.instance(), -stays, Long::sum);
            }
            long cut = Math.min(entry.calls() - stays, left);
            if (cut == entry.calls()) {
                entries.remove(i);
            } else {
                entries.set(i, new Entry(entry.timeMillis(), entry.instance(), entry.calls() - cut));
            }
            left -= cut;
            given += cut;
        }
        calls -= given;
        return given;
    }

    @Override
    public void useNow(String instance, Statement statement, long newCalls, long nowMillis) {
        add(nowMillis, instance, newCalls);
    }

    @Override
    void count(String instance, long number, long atMillis, long nowMillis) {
        if (number < 0) {
            remove(instance, -number, atMillis);
        } else {
            add(atMillis, instance, number);
        }
    }

    /** A lapsed lease remains relevant for one period after it has ended. */
    @Override
    long lapseMattersForMillis(Statement statement, long heldByAll, long nowMillis) {
        return ((Rule.Log) statement.rule()).periodMillis()
                + TimeToLive.USUAL.grace().toMillis();
    }

    /**
     * Adds calls to the entry with the given instance and time. If there is no such entry, inserts one in time order.
     */
    private void add(long timeMillis, String instance, long newCalls) {
        if (newCalls < 1) {
            return;
        }
        calls += newCalls;
        int index = entries.size();
        while (index > 0 && entries.get(index - 1).timeMillis() >= timeMillis) {
            Entry known = entries.get(--index);
            if (known.timeMillis() == timeMillis && known.instance().equals(instance)) {
                entries.set(index, new Entry(timeMillis, instance, known.calls() + newCalls));
                return;
            }
        }
        while (index < entries.size() && entries.get(index).timeMillis() == timeMillis) {
            index++;
        }
        entries.add(index, new Entry(timeMillis, instance, newCalls));
    }

    /** Removes calls of the instance, starting with those nearest to the given time. */
    private void remove(String instance, long returned, long atMillis) {
        List<Entry> nearest = entries.stream()
                .filter(entry -> entry.instance().equals(instance))
                .sorted(Comparator.comparingLong(entry -> Math.abs(entry.timeMillis() - atMillis)))
                .toList();
        long remaining = returned;
        for (Entry entry : nearest) {
            if (remaining == 0) {
                return;
            }
            long removed = Math.min(remaining, entry.calls());
            int index = entries.indexOf(entry);
            if (removed == entry.calls()) {
                entries.remove(index);
            } else {
                entries.set(index, new Entry(entry.timeMillis(), instance, entry.calls() - removed));
            }
            calls -= removed;
            remaining -= removed;
        }
    }

    @Override
    public long left(Statement statement, List<Cell> before, long nowMillis) {
        return ((Rule.Log) statement.rule()).most() - calls;
    }

    @Override
    public long total(long nowMillis) {
        return calls;
    }

    @Override
    public List<Long> details(List<Cell> before, long nowMillis) {
        return List.of(entries.isEmpty() ? 0 : entries.get(0).timeMillis());
    }
}
