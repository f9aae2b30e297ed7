package dev.sluice.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A reader receives all data first, then changes, and all data again if it has missed an event. */
class EventStreamTest {

    private final AsyncContext async = mock();
    private final ServletOutputStream out = mock();
    private final List<String> told = new ArrayList<>();
    private final List<EventStream> ended = new ArrayList<>();
    private boolean isReady = true;

    @BeforeEach
    void connect() throws IOException {
        ServletResponse response = mock();
        when(async.getResponse()).thenReturn(response);
        when(response.getOutputStream()).thenReturn(out);
        when(out.isReady()).thenAnswer(call -> isReady);
        doAnswer(call -> told.add(new String(call.<byte[]>getArgument(0), StandardCharsets.UTF_8)))
                .when(out)
                .write(any(byte[].class));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void offer(EventStream stream, String changes) {
        stream.offer(() -> bytes(changes), () -> bytes("all with " + changes));
    }

    @Test
    void isToldEverythingThenChanges() throws IOException {
        EventStream stream = new EventStream(async, ended::add);
        stream.begin(bytes("all"));
        stream.onWritePossible();
        offer(stream, "a");
        isReady = false;
        offer(stream, "b");
        offer(stream, "c");
        isReady = true;
        stream.onWritePossible();
        offer(stream, "d");

        assertThat(told).containsExactly("all", "a", "b", "all with d");
    }

    /** Changes from before it began may not be in the data that it began with. */
    @Test
    void isToldEverythingAgainIfSomethingHappenedBeforeItBegan() throws IOException {
        EventStream stream = new EventStream(async, ended::add);
        offer(stream, "early");
        verify(out, never()).isReady();
        stream.begin(bytes("all"));
        stream.onWritePossible();
        offer(stream, "late");

        assertThat(told).containsExactly("all", "all with late");
    }

    /** The container takes locks of its own to complete an answer. */
    @Test
    void endsOnceAndWithoutALockIfItIsGone() throws IOException {
        EventStream stream = new EventStream(async, ended::add);
        List<Boolean> locked = new ArrayList<>();
        doAnswer(call -> locked.add(Thread.holdsLock(stream))).when(async).complete();
        stream.begin(bytes("all"));
        stream.onWritePossible();
        doThrow(new IOException("Broken pipe")).when(out).write(any(byte[].class));
        offer(stream, "a");
        stream.onError(new IOException("Broken pipe"));
        offer(stream, "b");

        verify(async, times(1)).complete();
        assertThat(locked).containsExactly(false);
        assertThat(ended).containsExactly(stream);
        assertThat(stream.isOver()).isTrue();
    }
}
