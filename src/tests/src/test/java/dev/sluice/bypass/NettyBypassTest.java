package dev.sluice.bypass;

import dev.sluice.bypass.BypassContract.Protocol;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import dev.sluice.webflux.NettyServer;
import dev.sluice.webflux.RateLimitWebFilter;
import dev.sluice.webflux.SluiceWebPage;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.support.GenericApplicationContext;

/** The attacks on an application of WebFlux on Netty, which also plays a gateway with a service behind it. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("server")
class NettyBypassTest {

    @ParameterizedTest
    @CsvSource({"'', HTTP_1", "'', HTTP_2", "/app, HTTP_1", "/app, HTTP_2"})
    void nobodyGetsAroundALimit(String basePath, Protocol protocol) {
        attack(basePath, protocol, beans -> {});
    }

    /** Nothing below {@code /x} is limited, through which many attacks go. */
    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({"'', HTTP_1", "/app, HTTP_2"})
    void norByWayOfThePage(String basePath, Protocol protocol) {
        String limits = "- { id: all, pathPattern: /**, tiers: [ { period: 1d, threshold: 1 } ] }";
        try (Sluice shown = Sluice.builder().config(new GivenFile(limits)).open()) {
            attack(
                    basePath,
                    protocol,
                    beans -> beans.registerBean(
                            SluiceWebPage.class,
                            () -> SluiceWebPage.of(shown).at("/x").open()));
        }
    }

    private static void attack(String basePath, Protocol protocol, Consumer<GenericApplicationContext> page) {
        List<Attack> attacks = new ArrayList<>(Corpus.at(basePath));
        if (!basePath.isEmpty()) {
            attacks.addAll(Corpus.atOddContexts());
        }
        attacks.addAll(BypassContract.madeUp(basePath));
        try (Watch watch = new Watch();
                NettyServer server = NettyServer.start(
                        basePath,
                        () -> new RateLimitWebFilter(watch, null, 0),
                        page,
                        WebFluxApplication.Settings.class,
                        WebFluxApplication.Controller.class)) {
            List<Sent> all = protocol.all(attacks, basePath.isEmpty()).stream()
                    .map(NettyBypassTest::orNothing)
                    .toList();
            BypassContract.assertAllAreCounted(all, server, watch, attacks.size() / 20);
        }
    }

    /** Netty leaves some malformed calls of HTTP/2 without any answer; then nothing was served. */
    private static Sent orNothing(Sent sent) {
        return new Sent(sent.text(), server -> {
            try {
                return sent.exchange().apply(server);
            } catch (UncheckedIOException e) {
                if (e.getCause() instanceof SocketTimeoutException) {
                    return List.of();
                }
                throw e;
            }
        });
    }
}
