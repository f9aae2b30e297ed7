package dev.sluice.internal.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.SlowWork;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HousekeeperTest {

    @Test
    void anErrorEndsNoTask() throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(2);
        try (Housekeeper housekeeper = new Housekeeper()) {
            housekeeper.every(1, "Testing", () -> {
                runs.countDown();
                throw new StackOverflowError("thrown by the test");
            });
            assertThat(runs.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void hasNoThreadOnceItIsClosed() throws Exception {
        SlowWork work = new SlowWork();
        Housekeeper housekeeper = new Housekeeper();
        housekeeper.every(1, "Testing", work::run);
        work.assertIsWaitedForBy(housekeeper);
    }
}
