package dev.sluice.internal.instance.poll;

import dev.sluice.SlowWork;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PollerTest {

    @Test
    void hasNoThreadOnceItIsClosed() throws Exception {
        SlowWork work = new SlowWork();
        Poller poller = new Poller("test", Duration.ZERO, () -> Duration.ofHours(1), work::run, failure -> {});
        poller.start();
        work.assertIsWaitedForBy(poller);
    }
}
