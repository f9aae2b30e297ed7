package dev.sluice.limiter;

import dev.sluice.CounterKey;
import dev.sluice.Excess;
import dev.sluice.Limit;
import dev.sluice.LoadSignal;
import dev.sluice.Subject;
import dev.sluice.Tier;
import dev.sluice.algorithm.FixedWindow;
import dev.sluice.algorithm.OneWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All counters of one tier, method and way of finding the subjects: what identifies a counter beside the subjects' values. One
 * object for each identity within a limiter, so families are compared by reference; a reload keeps those that were there, with
 * their counters.
 */
final class CounterFamily {

    final Identity identity;
    /** How its counters stand to those of other instances. */
    final Sharing sharing;
    /** What passes at most, beyond the limit too. */
    final long most;
    /** What of that passes only beyond the limit. */
    final long beyond;
    /** How long a window is, or a frame of one that slides. */
    final long lengthMillis;
    /** How many frames a sliding window has; 0 where windows do not slide. */
    final int frames;
    /** Mixed well, since it is the larger part of each counter's hash. */
    final int hash;

    private final Tier tier;
    private final @Nullable OneWord rule;
    private final @Nullable Room room;

    CounterFamily(Identity identity, Sharing sharing, LoadSignal load, @Nullable OneWord rule) {
        this.identity = identity;
        this.sharing = sharing;
        this.tier = identity.tier();
        this.most = tier.most();
        this.beyond = tier.beyond();
        Limit.SlidingWindow sliding = tier.limit() instanceof Limit.SlidingWindow limit ? limit : null;
        this.lengthMillis = sliding == null ? tier.limit().period().toMillis() : sliding.frameMillis();
        this.frames = sliding == null ? 0 : sliding.subWindows();
        this.room = tier.excess() instanceof Excess.Elastic excess ? new Room(load, excess.whileLoadBelow()) : null;
        this.rule = rule;
        this.hash = identity.hashCode() * 0x9E3779B9;
    }

    /** How its counters count in one word, where they do. */
    OneWord rule() {
        return Objects.requireNonNull(rule, "an algorithm that keeps one word");
    }

    /**
     * What makes a family.
     *
     * @param endpoint the endpoint's id
     * @param method the counted method, {@code *} for all together
     * @param tier the tier
     * @param names the subjects, as in {@code per}
     * @param sources for each subject, the source that yielded the value
     */
    record Identity(String endpoint, String method, Tier tier, List<String> names, List<String> sources) {}

    /** When calls pass beyond the limit. */
    private record Room(LoadSignal load, double whileLoadBelow) {}

    Tier tier() {
        return tier;
    }

    /** Whether calls pass beyond the limit only while there is room. */
    boolean isElastic() {
        return room != null;
    }

    /** Whether calls may pass beyond the limit now. */
    boolean hasRoom() {
        return room == null || room.load.load() < room.whileLoadBelow;
    }

    /** Whether what a call takes is a place, which it puts back in the end. */
    boolean lendsPlaces() {
        return tier().limit() instanceof Limit.Concurrency;
    }

    /** Whether calls wait for their turn. */
    boolean queues() {
        return tier().limit() instanceof Limit.LeakyBucket bucket && bucket.queue() > 0;
    }

    /** Who is counted, given the value of one subject or the list of the values of several. */
    List<Subject> subjects(Object values) {
        List<?> list = values instanceof List<?> several ? several : List.of(values);
        List<Subject> subjects = new ArrayList<>(list.size());
        for (int i = 0; i < list.size(); i++) {
            subjects.add(new Subject(identity.names().get(i), identity.sources().get(i), (String) list.get(i)));
        }
        return List.copyOf(subjects);
    }

    /** The name of a counter at that moment, with its window where time is cut into such. */
    CounterKey keyAt(List<Subject> subjects, long nowMillis) {
        boolean cut = tier.limit() instanceof Limit.FixedWindow || frames > 0;
        long start = cut ? FixedWindow.startOf(nowMillis, lengthMillis) : 0;
        long end = cut ? start + lengthMillis : 0;
        return new CounterKey(identity.endpoint(), identity.method(), tier.name(), subjects, start, end);
    }
}
