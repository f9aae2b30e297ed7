package dev.sluice.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A reader receives all data first, then changes, and all data again if it has missed an event. */
class EventStreamTest {

    private final List<String> told = new ArrayList<>();
    private final List<EventStream> ended = new ArrayList<>();
    private final Reader reader = new Reader();
    private final EventStream stream = new EventStream(reader, ended::add);

    /** Takes events while the test allows it. */
    private final class Reader implements EventReader {

        private boolean isReady = true;
        private boolean isGone;
        private final List<Boolean> endedUnderLock = new ArrayList<>();

        @Override
        public void begin(Feed begun) {
            begun.write();
        }

        @Override
        public boolean take(byte[] event) throws IOException {
            if (isGone) {
                throw new IOException("Broken pipe");
            }
            return isReady && told.add(new String(event, StandardCharsets.UTF_8));
        }

        @Override
        public void end() {
            endedUnderLock.add(Thread.holdsLock(stream));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** An event loop may wait for the lock, so nothing is rendered under it. */
    private byte[] made(String text) {
        assertThat(Thread.holdsLock(stream)).isFalse();
        return bytes(text);
    }

    private void offer(String changes) {
        stream.offer(() -> made(changes), () -> made("all with " + changes));
    }

    @Test
    void receivesEverythingThenChanges() throws IOException {
        stream.begin(bytes("all"));
        offer("a");
        reader.isReady = false;
        offer("b");
        offer("c");
        reader.isReady = true;
        stream.write();
        offer("d");

        assertThat(told).containsExactly("all", "a", "b", "all with d");
    }

    /** The data that it began with may lack changes from before it began. */
    @Test
    void receivesEverythingAgainIfSomethingChangedBeforeItBegan() throws IOException {
        offer("early");
        assertThat(told).isEmpty();
        stream.begin(bytes("all"));
        offer("late");

        assertThat(told).containsExactly("all", "all with late");
    }

    /** The container takes locks of its own to complete an answer. */
    @Test
    void endsOnceAndWithoutALockIfTheReaderDisconnects() throws IOException {
        stream.begin(bytes("all"));
        reader.isGone = true;
        offer("a");
        stream.end();
        offer("b");

        assertThat(reader.endedUnderLock).containsExactly(false);
        assertThat(ended).containsExactly(stream);
        assertThat(stream.isOver()).isTrue();
    }
}
