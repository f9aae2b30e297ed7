package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.rpc.RetryInfo;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls the shop over a real connection. */
@Timeout(60)
class ShopTest {

    private Shop shop;
    private ManagedChannel channel;

    @BeforeEach
    void serve() throws Exception {
        shop = new Shop(0);
        channel = Grpc.newChannelBuilder("127.0.0.1:" + shop.port(), InsecureChannelCredentials.create())
                .build();
    }

    @AfterEach
    void stop() throws Exception {
        channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        shop.close();
    }

    @Test
    void aLimitIsExactForEachTenantAlsoAtOnce() {
        List<Answer> atOnce = new ArrayList<>();
        for (int call = 0; call < 40; call++) {
            atOnce.add(call(Shop.GET_PRODUCT, "42", "acme"));
        }
        assertEquals(5, atOnce.stream().filter(answer -> answer.code() == Status.Code.OK).count());
        assertEquals(35, atOnce.stream().filter(answer -> answer.code() == Status.Code.RESOURCE_EXHAUSTED).count());
        assertEquals(Status.Code.OK, call(Shop.GET_PRODUCT, "42", "globex").code());
    }

    @Test
    void whoeverNamesNoTenantIsIdentifiedByAddress() {
        for (int call = 0; call < 5; call++) {
            assertEquals(Status.Code.OK, call(Shop.GET_PRODUCT, "42", null).code());
        }
        assertEquals(Status.Code.RESOURCE_EXHAUSTED, call(Shop.GET_PRODUCT, "42", null).code());
    }

    @Test
    void trailersTellTheLimit() {
        Answer first = call(Shop.GET_PRODUCT, "42", "acme");
        assertEquals("5", first.trailer("x-ratelimit-limit"));
        assertEquals("4", first.trailer("x-ratelimit-remaining"));
        assertEquals("3600", first.trailer("x-ratelimit-reset"));
        assertNull(first.trailer("retry-after"));
    }

    @Test
    void aRefusalTellsWhenToRetry() throws Exception {
        for (int call = 0; call < 5; call++) {
            call(Shop.GET_PRODUCT, "42", "acme").code();
        }
        Answer refused = call(Shop.GET_PRODUCT, "42", "acme");
        assertEquals(Status.Code.RESOURCE_EXHAUSTED, refused.code());
        assertEquals("5", refused.trailer("x-ratelimit-limit"));
        assertEquals("0", refused.trailer("x-ratelimit-remaining"));
        com.google.rpc.Status status = StatusProto.fromStatusAndTrailers(refused.status(), refused.trailers());
        assertEquals(1, status.getDetailsCount());
        long seconds = status.getDetails(0).unpack(RetryInfo.class).getRetryDelay().getSeconds();
        assertTrue(seconds > 3500 && seconds <= 3600, () -> "a retry after " + seconds + " s");
    }

    @Test
    void aCancelledCallGivesItsSlotBack() {
        Answer watching = call(Shop.WATCH, "42", "acme");
        assertEquals("watching 42", watching.firstMessage());
        assertEquals(Status.Code.RESOURCE_EXHAUSTED, call(Shop.WATCH, "42", "acme").code());
        watching.call().cancel("seen enough", null);
        assertEquals("watching 43", awaitSlot(Shop.WATCH, "43").firstMessage());
    }

    @Test
    void aCallThatFailsGivesItsSlotBack() {
        for (int call = 0; call < 10; call++) { // not a 4xx, so the other limit of this method does not count it
            assertEquals(Status.Code.UNKNOWN, awaitSlot(Shop.BUY, "broken").code());
        }
        assertEquals(Status.Code.OK, awaitSlot(Shop.BUY, "42").code());
    }

    @Test
    void aCallThatIsAnsweredGivesItsSlotBackBeforeItsCallerReadsIt() {
        for (int call = 0; call < 100; call++) {
            assertEquals(Status.Code.OK, call(Shop.BUY, "42", "acme").code());
        }
    }

    @Test
    void onlyOutcomesThatAreToBeCountedCount() {
        assertEquals(Status.Code.OK, call(Shop.BUY, "42", "acme").code());
        assertEquals(Status.Code.NOT_FOUND, call(Shop.BUY, "unknown", "acme").code());
        assertEquals(Status.Code.NOT_FOUND, call(Shop.BUY, "unknown", "acme").code());
        assertEquals(Status.Code.RESOURCE_EXHAUSTED, call(Shop.BUY, "42", "acme").code());
    }

    @Test
    void aCallThatHasWaitedIsServedWithItsMessage() {
        List<Answer> answers = List.of(
                call(Shop.QUICK_REPORT, "1", "acme"),
                call(Shop.QUICK_REPORT, "2", "acme"),
                call(Shop.QUICK_REPORT, "3", "acme"));
        for (int i = 0; i < answers.size(); i++) {
            assertEquals(Status.OK, answers.get(i).status());
            assertEquals("This is product " + (i + 1) + ".", answers.get(i).firstMessage());
            assertEquals("10", answers.get(i).trailer("x-ratelimit-limit"));
        }
    }

    /** Calls until there is a free slot, because the limiter may learn of the end of a call just after the caller. */
    private Answer awaitSlot(MethodDescriptor<String, String> method, String id) {
        Answer answer = call(method, id, "acme");
        while (answer.isRefusedAtOnce()) {
            answer = call(method, id, "acme");
        }
        return answer;
    }

    private Answer call(MethodDescriptor<String, String> method, String id, String tenant) {
        ClientCall<String, String> call = channel.newCall(method, CallOptions.DEFAULT);
        Answer answer = new Answer(call, new CompletableFuture<>(), new CompletableFuture<>(), new CompletableFuture<>());
        Metadata headers = new Metadata();
        if (tenant != null) {
            headers.put(Metadata.Key.of("X-Org-Id", Metadata.ASCII_STRING_MARSHALLER), tenant);
        }
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onMessage(String message) {
                        answer.message().complete(message);
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        answer.message().complete("none");
                        answer.end().complete(status);
                        answer.last().complete(trailers);
                    }
                },
                headers);
        call.request(2);
        call.sendMessage(id);
        call.halfClose();
        return answer;
    }

    private record Answer(
            ClientCall<String, String> call,
            CompletableFuture<String> message,
            CompletableFuture<Status> end,
            CompletableFuture<Metadata> last) {

        String firstMessage() {
            return message.orTimeout(20, TimeUnit.SECONDS).join();
        }

        Status status() {
            return end.orTimeout(20, TimeUnit.SECONDS).join();
        }

        Status.Code code() {
            return status().getCode();
        }

        Metadata trailers() {
            return last.orTimeout(20, TimeUnit.SECONDS).join();
        }

        String trailer(String name) {
            return trailers().get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
        }

        /** Whether the call is refused at once. If not, it is queued or being served. */
        boolean isRefusedAtOnce() {
            try {
                return end.get(1, TimeUnit.SECONDS).getCode() == Status.Code.RESOURCE_EXHAUSTED;
            } catch (TimeoutException e) {
                return false;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }
}
