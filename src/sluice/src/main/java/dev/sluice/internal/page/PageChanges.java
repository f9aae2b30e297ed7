package dev.sluice.internal.page;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.page.PageData.ChangeData;
import dev.sluice.internal.page.TrafficHistory.ClientAtEndpoint;
import dev.sluice.limits.ClientOverride;
import dev.sluice.open.Sluice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Makes the changes that operators request on the page: gives a client more calls, or resets its usage. Waits for the
 * store. Each failure is reported as a sentence that operators can read. Thread-safe.
 */
final class PageChanges {

    static final String GIVE = "/give";
    static final String RESET = "/reset";

    private static final int LONGEST_FORM = 8192;
    private static final int LONGEST_REASON = 500;
    private static final long PATIENCE_SECONDS = 10;

    private final Sluice sluice;
    private final Sampler sampler;

    PageChanges(Sluice sluice, Sampler sampler) {
        this.sluice = sluice;
        this.sampler = sampler;
    }

    /** Whether requests to this path make changes. */
    static boolean isAt(String below) {
        return below.equals(GIVE) || below.equals(RESET);
    }

    /** Thrown if a request cannot be carried out. The message is shown to operators. */
    private static final class Refused extends Exception {

        private static final long serialVersionUID = 1L;

        private final int status;

        Refused(int status, String message) {
            super(message);
            this.status = status;
        }
    }

    /** Makes the change that a POST requests. */
    PageAnswer answer(PageRequest request) {
        try {
            check(request);
            return PageAnswer.ok(PageAnswer.JSON, JsonText.of(new ChangeData(words(change(request)))));
        } catch (Refused e) {
            return PageAnswer.text(e.status, e.getMessage() + "\n");
        }
    }

    private static void check(PageRequest request) throws Refused {
        if (!request.mayChange()) {
            throw new Refused(403, "You can read this page, but you are not allowed to change anything.");
        }
        String crossSite = CrossSite.problem(request);
        if (crossSite != null) {
            throw new Refused(403, crossSite);
        }
        String length = request.header("Content-Length");
        if (length == null || !length.matches("\\d{1,4}") || Integer.parseInt(length) > LONGEST_FORM) {
            throw new Refused(
                    413,
                    "The form has no Content-Length, or more than " + LONGEST_FORM + " bytes; send a shorter one.");
        }
    }

    private Map<CounterKey, Long> change(PageRequest request) throws Refused {
        ClientOverride client = client(request.parameter("id"));
        String why = why(request.parameter("why"));
        try {
            return waitFor(
                    request.below().equals(RESET)
                            ? sluice.reset(client, request.user(), why)
                            : sluice.give(client, calls(request.parameter("calls")), request.user(), why));
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new Refused(400, "Nothing was changed: " + e.getMessage() + ".");
        }
    }

    private ClientOverride client(@Nullable String id) throws Refused {
        ClientAtEndpoint found = sampler.client(id);
        if (found == null) {
            throw new Refused(404, "This instance no longer knows the client; reload the page, and try again.");
        }
        List<Subject> caller = found.caller();
        if (caller.size() != 1) {
            throw new Refused(
                    400,
                    (caller.isEmpty()
                                    ? "This endpoint counts all callers together"
                                    : "This endpoint is keyed by several subjects")
                            + ", so no single client can be given calls. Set a larger limit until the window ends.");
        }
        Subject subject = caller.get(0);
        ClientOverride client = new ClientOverride(subject.name(), subject.value(), found.endpoint(), "");
        if (!sluice.withKey(client).value().equals(subject.value())) {
            throw new Refused(
                    400,
                    "The display name of another client in the file equals this client's key, so nothing was changed. "
                            + "Give the other client a different name.");
        }
        return client;
    }

    private static long calls(@Nullable String calls) throws Refused {
        if (calls == null || !calls.matches("[1-9]\\d{0,11}")) {
            throw new Refused(
                    400, "Enter the number of calls to give as a whole number from 1 to 999999999999, such as 500.");
        }
        return Long.parseLong(calls);
    }

    private static String why(@Nullable String why) throws Refused {
        String reason = why == null ? "" : why.strip();
        if (reason.length() > LONGEST_REASON) {
            throw new Refused(400, "The reason is longer than " + LONGEST_REASON + " characters; write a shorter one.");
        }
        return reason;
    }

    private static <T> T waitFor(CompletionStage<T> change) throws Refused {
        try {
            return change.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new Refused(
                    503,
                    "The store has not responded within " + PATIENCE_SECONDS
                            + " seconds. The change might still take effect, "
                            + "so look at the client's figures before you try again.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refused(503, "The instance is shutting down. Look at the client's figures before you try again.");
        } catch (ExecutionException e) {
            throw refused(e.getCause());
        }
    }

    private static Refused refused(@Nullable Throwable cause) {
        return cause instanceof StoreException
                ? new Refused(
                        503, "The store does not respond, so the change might have no effect: " + cause.getMessage())
                : new Refused(500, "The change failed: " + cause);
    }

    /** Returns the numbers of given calls by tier, or by method and tier if each method is counted separately. */
    private static Map<String, Long> words(Map<CounterKey, Long> given) {
        Map<String, Long> words = new LinkedHashMap<>();
        given.forEach(
                (key, calls) -> words.put((key.method().equals("*") ? "" : key.method() + " ") + key.tier(), calls));
        return words;
    }
}
