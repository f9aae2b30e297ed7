package dev.sluice.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Subject;
import dev.sluice.internal.page.PageData.ClientData;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import dev.sluice.traffic.CallerTraffic;
import dev.sluice.traffic.CallerTraffic.Calls;
import dev.sluice.traffic.CallerTraffic.State;
import dev.sluice.traffic.EndpointTraffic;
import dev.sluice.traffic.Traffic;
import dev.sluice.traffic.TrafficReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page keeps fifteen minutes of a bounded number of clients, whoever calls. */
class TrafficHistoryTest {

    private static final long START = 1_627_318_800_000L;

    private final TrafficHistory history = new TrafficHistory();

    private static CallerTraffic caller(String tenant, long allowed, long refused, long at) {
        return caller(List.of(new Subject("tenant", "header:X-Org-Id", tenant)), "", allowed, refused, at);
    }

    private static CallerTraffic caller(List<Subject> subjects, String name, long allowed, long refused, long at) {
        Tier tier = new Tier("1m", new Limit.FixedWindow(10, Duration.ofMinutes(1)));
        return new CallerTraffic(
                "login",
                subjects,
                name,
                new Calls(allowed, refused, 0),
                new State(tier, 5, at + 60_000, at),
                List.of());
    }

    private void add(long slice, List<CallerTraffic> callers) {
        long from = START + slice * Traffic.SLICE_MILLIS;
        history.add(
                List.of(new TrafficReport(from, from + Traffic.SLICE_MILLIS, callers, List.of())),
                from + Traffic.SLICE_MILLIS - 1);
    }

    private static List<String> names(List<ClientData> clients) {
        return clients.stream().map(client -> client.caller().get(0).value()).toList();
    }

    @Test
    void aFloodOfNamesNeitherGrowsItNorEvictsRefusedClients() {
        add(0, List.of(caller("victim", 10, 500, START)));
        for (int slice = 1; slice < 60; slice++) {
            List<CallerTraffic> flood = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                flood.add(caller("made-up-" + slice + "-" + i, 1, 1, START + slice * Traffic.SLICE_MILLIS));
            }
            add(slice, flood);
            history.beginGeneration();
        }

        assertThat(history.clients()).hasSizeLessThanOrEqualTo(TrafficHistory.MOST_CUSTOMERS);
        assertThat(names(history.clients())).contains("victim");
    }

    @Test
    void aScanFromManyAddressesHasRoomOfItsOwn() {
        List<CallerTraffic> calls = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            calls.add(caller("customer-" + i, 1, 0, START));
            calls.add(caller(List.of(new Subject("ip", "ip", "198.51.100." + i)), "", 1, 900, START));
        }
        for (int slice = 0; slice < 4; slice++) { // of those with equally many calls, a slice adds only some
            add(slice, calls.subList(200 * slice, 200 * (slice + 1)));
        }

        assertThat(history.clients().stream().filter(client -> !client.address()))
                .hasSize(TrafficHistory.MOST_CUSTOMERS);
        assertThat(history.clients().stream().filter(ClientData::address)).hasSize(TrafficHistory.MOST_ADDRESSES);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
        ip=ip,                                  '', true
        login=hash(login),                      '', true
        tenant=ip,                              '', true
        login=hash(login) ip=ip,                '', true
        tenant=none ip=ip,                      '', true
        ip=ip server=server,                    '', true
        tenant=header:X-Org-Id,                 '', false
        tenant=header:X-Org-Id ip=ip,           '', false
        user=principal,                         '', false
        tenant=none,                            '', false
        server=server,                          '', false
        ,                                       '', false
        ip=ip,                              Office, false
        """)
    void aCustomerIsKnownByMoreThanItsAddressOrLogin(String subjects, String name, boolean isAddress) {
        List<Subject> caller = subjects == null
                ? List.of()
                : Stream.of(subjects.split(" "))
                        .map(subject -> subject.split("="))
                        .map(subject -> new Subject(subject[0], subject[1], "value"))
                        .toList();
        assertThat(ClientHistory.isAddress(caller(caller, name, 1, 0, START))).isEqualTo(isAddress);
    }

    /** Reloads may bring new ids again and again. */
    @Test
    void endpointsUnusedForFifteenMinutesMakeRoomForOthers() {
        for (int slice = 0; slice < 2 * OutcomeBuckets.KEPT; slice += OutcomeBuckets.KEPT) {
            List<EndpointTraffic> endpoints = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                endpoints.add(new EndpointTraffic("of-" + slice + "-" + i, 1, 0, 0, 0));
            }
            long from = START + slice * Traffic.SLICE_MILLIS;
            TrafficReport report =
                    new TrafficReport(from, from + Traffic.SLICE_MILLIS, List.of(), List.copyOf(endpoints));
            history.add(List.of(), from); // the page samples each second
            history.add(List.of(report), from + Traffic.SLICE_MILLIS - 1);
        }

        assertThat(history.counts(true))
                .hasSize(1_000)
                .allSatisfy(counted -> assertThat(counted.id()).startsWith("of-" + OutcomeBuckets.KEPT));
    }

    @Test
    void clientsIdleForFifteenMinutesAreForgotten() {
        add(0, List.of(caller("early", 10, 0, START)));
        add(OutcomeBuckets.KEPT, List.of(caller("late", 10, 0, START + OutcomeBuckets.KEPT * Traffic.SLICE_MILLIS)));
        add(OutcomeBuckets.KEPT + 1, List.of());

        assertThat(names(history.clients())).containsExactly("late");
        assertThat(history.gone()).hasSize(1);
    }
}
