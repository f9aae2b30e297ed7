package dev.sluice.cli.rehearse.call;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The extra fields of all formats of some logs, by number. The bytes of a call contain the number. Thread-safe.
 */
public final class FieldNames {

    private final List<ExtraFields> all = new CopyOnWriteArrayList<>();

    public FieldNames() {}

    /** Adds these, and returns their number. */
    int add(ExtraFields extras) {
        all.add(extras);
        return all.size() - 1;
    }

    ExtraFields get(int number) {
        return all.get(number);
    }
}
