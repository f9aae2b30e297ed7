package dev.sluice.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.http.request.RequestLogins;
import dev.sluice.internal.servlet.inflight.RememberedDecision;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** A thread works for the logins of a request as long as their context is in force, and no longer. */
class CarriedLoginsTest {

    private final MockHttpServletRequest request = new MockHttpServletRequest();
    private final RequestLogins logins = RememberedDecision.logins(request);
    private final RequestLogins others = RememberedDecision.logins(new MockHttpServletRequest());

    @BeforeEach
    void takesPart() {
        CarriedLogins.register();
    }

    @AfterEach
    void endsTheRequest() {
        RequestContextHolder.resetRequestAttributes();
        LoginsOfThread.set(null);
    }

    /** A snapshot of the context of this thread. */
    private static ContextSnapshot snapshot() {
        return ContextSnapshotFactory.builder().build().captureAll();
    }

    private static void within(ContextSnapshot snapshot, Runnable work) {
        try (ContextSnapshot.Scope scope = snapshot.setThreadLocals()) {
            work.run();
        }
    }

    @Test
    void aThreadWithoutLoginsHasNoneAfterwards() {
        LoginsOfThread.set(logins);
        ContextSnapshot snapshot = snapshot();
        LoginsOfThread.set(null);
        within(snapshot, () -> assertThat(LoginsOfThread.find()).isSameAs(logins));
        assertThat(LoginsOfThread.find()).isNull();
    }

    @Test
    void aThreadWithLoginsOfItsOwnHasTheseAgainAfterwards() {
        LoginsOfThread.set(logins);
        ContextSnapshot snapshot = snapshot();
        LoginsOfThread.set(others);
        within(snapshot, () -> assertThat(LoginsOfThread.find()).isSameAs(logins));
        assertThat(LoginsOfThread.find()).isSameAs(others);
    }

    @Test
    void loginsOfRequestAttributesEndWithThese() {
        RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
        within(snapshot(), () -> assertThat(LoginsOfThread.find()).isSameAs(logins));
        assertThat(LoginsOfThread.find()).isSameAs(logins);

        RequestContextHolder.resetRequestAttributes();
        assertThat(LoginsOfThread.find()).isNull();
    }
}
