package dev.sluice.internal.page;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.sluice.SlowWork;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventStreamsTest {

    private static final PageData NOTHING = new PageData(
            true,
            Instant.EPOCH,
            new PageData.WatchData("", Instant.EPOCH, 1, 1),
            new PageData.FileData("limits.yml", Instant.EPOCH, null, null, null),
            null,
            null,
            new PageData.TrafficData(List.of(), List.of(), List.of()),
            null,
            null,
            null,
            null);

    @Test
    void haveNoThreadOnceTheyAreClosed() throws Exception {
        SlowWork work = new SlowWork();
        Sampler sampler = mock();
        when(sampler.everything()).thenReturn(NOTHING);
        when(sampler.takeChanges()).thenAnswer(call -> {
            work.run();
            return NOTHING;
        });
        EventStreams streams = new EventStreams(sampler).start();
        streams.add(mock());
        work.assertIsWaitedForBy(streams);
    }
}
