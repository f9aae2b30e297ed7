package dev.sluice.cli;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.Limits;
import dev.sluice.RateLimitListener;
import dev.sluice.RateLimiter;
import dev.sluice.Replies;
import dev.sluice.limiter.CountingRateLimiter;
import dev.sluice.limiter.Explanation;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call, made through the real server, filter and limiter, all of which are there for this call alone: nothing is shared,
 * nothing is counted anywhere else. It stands between the filter and the limiter, and sees what the one asks of the other.
 */
final class Rehearsal implements RateLimiter {

    private final CountingRateLimiter limiter;
    private volatile @Nullable Asked asked;

    private Rehearsal(CountingRateLimiter limiter) {
        this.limiter = limiter;
    }

    /** What was seen of the call. */
    record Seen(Asked asked, AnswerWatch.Answer answer) {}

    /** The call as the limiter saw it, and what it would be counted in. */
    record Asked(String method, String path, List<Explanation> explanations) {

        boolean isCountedBy(Endpoint endpoint) {
            return explanations.stream().anyMatch(one -> one.endpoint().id().equals(endpoint.id()));
        }
    }

    /**
     * Makes the call, at one moment, so that the counters and the answer speak of the same window.
     *
     * @param request as HTTP writes it
     * @param ip where it comes from
     * @param user who is logged in
     */
    static Seen of(Limits limits, String request, String ip, @Nullable String user) throws Exception {
        InstantSource oneMoment = InstantSource.fixed(Instant.now());
        try (CountingRateLimiter limiter = new CountingRateLimiter(limits, oneMoment, RateLimitListener.NONE)) {
            Rehearsal rehearsal = new Rehearsal(limiter);
            AnswerWatch watch = new AnswerWatch(ip, user);
            try (Sandbox sandbox = new Sandbox(rehearsal, List.of(watch), new AnswerNothing())) {
                String answer = sandbox.answer(request);
                Asked asked = rehearsal.asked;
                if (asked == null) {
                    throw new CommandFailure(
                            "this request does not get as far as the limiter; the server answers " + firstLine(answer));
                }
                return new Seen(asked, watch.answer());
            }
        }
    }

    private static String firstLine(@Nullable String answer) {
        return answer == null ? "nothing" : answer.lines().findFirst().orElse("nothing");
    }

    @Override
    public Decision decide(Call call) {
        asked = new Asked(call.method(), call.path(), limiter.explain(call));
        return limiter.decide(call);
    }

    @Override
    public Replies replies() {
        return limiter.replies();
    }
}
