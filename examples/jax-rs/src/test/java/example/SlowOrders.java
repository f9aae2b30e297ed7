package example;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.StreamingOutput;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Orders that stay in flight for as long as a test wants. */
final class SlowOrders {

    static final BlockingQueue<AsyncResponse> SUSPENDED = new LinkedBlockingQueue<>();

    private SlowOrders() {}

    @Path("/order/suspended")
    public static final class Later {

        @GET
        public void suspend(@Suspended AsyncResponse later) {
            SUSPENDED.add(later);
        }
    }

    /** Streams until its caller disconnects. */
    @Path("/order/endless")
    public static final class Endless {

        @GET
        public StreamingOutput stream() {
            byte[] some = new byte[1024];
            return out -> {
                while (true) {
                    out.write(some);
                    out.flush();
                }
            };
        }
    }
}
