package dev.sluice.internal.match.caller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.TestCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WatchedSourceTest {

    private static final Call NOBODY = TestCall.get("/");
    private static final Call ANN = new TestCall("GET", "/", "192.0.2.1", Map.of("principal", "ann"));

    private final List<String> told = new ArrayList<>();
    private final WatchedSource principal = new WatchedSource(
            "principal",
            Call::principal,
            (source, calls, authenticated) -> told.add(source + ' ' + calls + ' ' + authenticated));

    private void ask(Call call, int times) {
        for (int i = 0; i < times; i++) {
            var unused = principal.resolve(call);
        }
    }

    @Test
    void warnsOnceThatASourceFindsNothing() {
        ask(NOBODY, WatchedSource.ENOUGH - 1);
        assertThat(told).isEmpty();
        ask(NOBODY, 3 * WatchedSource.ENOUGH);
        assertThat(told).containsExactly("principal 100 false");
    }

    @Test
    void oneValueIsEnoughToKeepQuiet() {
        ask(NOBODY, WatchedSource.ENOUGH - 1);
        ask(ANN, 1);
        ask(NOBODY, 3 * WatchedSource.ENOUGH);
        assertThat(told).isEmpty();
    }

    @Test
    void whatIsFoundIsPassedOn() {
        assertThat(principal.resolve(ANN)).isEqualTo("ann");
        assertThat(principal.resolve(NOBODY)).isNull();
    }

    @Test
    void anAuthenticatedCallMayYetLackAClaim() {
        WatchedSource claim = new WatchedSource(
                "claim:x", call -> call.claim("x"), (source, calls, authenticated) -> told.add(source + authenticated));
        for (int i = 0; i < WatchedSource.ENOUGH; i++) {
            var unused = claim.resolve(ANN);
        }
        assertThat(told).containsExactly("claim:xtrue");
    }
}
