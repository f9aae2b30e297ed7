package dev.sluice.internal.store.mongo.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.mongo.document.CounterDocuments.Write;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** Which documents the server may still write after a connection was cut, and which attempt may write at all. */
class UnconfirmedWritesTest {

    private long nanos;
    private final UnconfirmedWrites writes = new UnconfirmedWrites(() -> nanos);

    private static List<Write> write(String id, long versionFound) {
        return List.of(new Write(new Document("_id", id), versionFound));
    }

    @Test
    void aDocumentMayBeWrittenLateWhileItHasTheVersionThatWasRead() {
        writes.begin("me").send(write("a", 7));
        UnconfirmedWrites.Attempt again = writes.begin("me");
        assertThat(again.ids()).containsExactly("a");
        assertThat(again.mayBeWrittenLate("a", 7L)).isTrue();
        assertThat(again.mayBeWrittenLate("a", 8L))
                .as("somebody wrote it since")
                .isFalse();
        assertThat(again.mayBeWrittenLate("a", Versions.NONE))
                .as("it expired, and would be inserted")
                .isTrue();
        assertThat(again.mayBeWrittenLate("b", 7L)).isFalse();
        assertThat(writes.begin("other").ids()).isEmpty();
    }

    @Test
    void nothingIsWrittenLateOfWhatWasAnswered() {
        UnconfirmedWrites.Attempt attempt = writes.begin("me");
        attempt.send(write("a", 7));
        attempt.succeed();
        assertThat(writes.begin("me").ids()).isEmpty();
    }

    /** The first attempt may still have been reading when the second one began. */
    @Test
    void anEarlierAttemptThatIsStillRunningWritesNothingMore() {
        UnconfirmedWrites.Attempt slow = writes.begin("me");
        UnconfirmedWrites.Attempt again = writes.begin("me");
        assertThatThrownBy(() -> slow.send(write("a", 7)))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.temporary()).isTrue());
        again.send(write("a", 7));
    }

    @Test
    void nobodyRemembersThemForLongerThanAnswersAreKept() {
        writes.begin("me").send(write("a", 7));
        nanos += TimeUnit.SECONDS.toNanos(61);
        assertThat(writes.begin("me").ids()).isEmpty();
    }
}
