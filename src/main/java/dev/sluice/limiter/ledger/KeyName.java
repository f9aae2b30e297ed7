package dev.sluice.limiter.ledger;

import dev.sluice.CounterKey;

/**
 * The name of a counter, as news tell it: the text of its key. For a counter in memory only the hash is kept, since the text is
 * long: it is made again when two names are compared. Immutable. It has a total order, so that a map finds a name quickly even
 * among many with the same hash, which callers could construct.
 */
final class KeyName implements Comparable<KeyName> {

    /** The key, or its text. */
    private final Object named;

    private final int hash;

    private KeyName(Object named, int hash) {
        this.named = named;
        this.hash = hash;
    }

    static KeyName of(CounterKey key) {
        return new KeyName(key, key.text().hashCode());
    }

    static KeyName of(String text) {
        return new KeyName(text, text.hashCode());
    }

    private String text() {
        return named instanceof CounterKey key ? key.text() : (String) named;
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof KeyName name
                        && name.hash == hash
                        && name.text().equals(text()));
    }

    @Override
    public int compareTo(KeyName other) {
        return text().compareTo(other.text());
    }
}
