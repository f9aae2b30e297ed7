package dev.sluice.fleet.served;

import java.util.List;
import java.util.stream.Stream;

/**
 * The answers to one caller under one limit, and the limiter's mistakes. A call was decided at an unknown moment
 * between sending and answer, so each figure counts only what is wrong for every such moment. Where no two calls
 * overlap, the figures are exact.
 */
sealed interface CallLedger {

    List<Answer> answers();

    /** How many calls could have passed, had the limiter made no mistake. */
    long due();

    /** How many calls were refused although the limit was not used up. */
    long refusedEarly();

    /** The number of calls that passed beyond the limit and its slack. */
    long over();

    /** The number of calls that should have passed and did not. */
    default long missing() {
        return 0;
    }

    /** The largest difference between an {@code x-ratelimit-remaining} and the calls that really remained. */
    default long remainingOff() {
        return 0;
    }

    /** The limiter's part of a call's time, without the call's own work. */
    default long waitNanos(Answer answer) {
        return answer.tookNanos();
    }

    default long admitted() {
        return answers().stream().filter(Answer::admitted).count();
    }

    /**
     * Calls within one window, or to one bucket.
     *
     * @param limit the number of calls that may pass
     * @param allowance the number of further calls that may pass, by slack or because the bucket was refilled meanwhile
     */
    record OfWindow(long limit, long allowance, List<Answer> answers) implements CallLedger {

        @Override
        public long due() {
            return Math.min(answers.size(), limit);
        }

        @Override
        public long refusedEarly() {
            return answers.stream()
                    .filter(answer -> !answer.admitted() && admittedBefore(answer) < limit)
                    .count();
        }

        @Override
        public long over() {
            return Math.max(0, admitted() - limit - allowance);
        }

        @Override
        public long missing() {
            return Math.max(0, due() - admitted());
        }

        @Override
        public long remainingOff() {
            return answers.stream()
                    .filter(answer -> answer.admitted() && answer.limit() == limit)
                    .mapToLong(this::remainingOff)
                    .max()
                    .orElse(0);
        }

        /** The difference between the answer to an admitted call and the calls that really remained. */
        long remainingOff(Answer answer) {
            long most = limit - admittedSurelyBefore(answer) - 1;
            long least = limit - admittedBefore(answer);
            return Math.max(0, Math.max(answer.remaining() - most, least - answer.remaining()));
        }

        /**
         * The calls that can have been admitted before this call was decided, including this call if it was admitted.
         */
        private long admittedBefore(Answer decided) {
            return admissions()
                    .filter(answer -> answer.sentNanos() < decided.answeredNanos())
                    .count();
        }

        private long admittedSurelyBefore(Answer decided) {
            return admissions()
                    .filter(answer -> answer.answeredNanos() <= decided.sentNanos())
                    .count();
        }

        private Stream<Answer> admissions() {
            return answers.stream().filter(Answer::admitted);
        }
    }

    /**
     * Calls of which only a limited number may be in flight at once.
     *
     * @param limit the number of calls that may be in flight at once
     * @param workNanos how long the application works on each call that passes
     */
    record OfSlots(long limit, long workNanos, List<Answer> answers) implements CallLedger {

        /** How long after the answer the end of a call may be unknown to other instances. */
        private static final long RELEASE_NANOS = 200_000_000;

        @Override
        public long due() {
            return admitted() + refusedEarly();
        }

        @Override
        public long refusedEarly() {
            return answers.stream()
                    .filter(answer -> !answer.admitted() && perhapsInFlight(answer) < limit)
                    .count();
        }

        @Override
        public long over() {
            long most = answers.stream()
                    .filter(Answer::admitted)
                    .mapToLong(answer -> surelyInFlight(surelyFrom(answer)))
                    .max()
                    .orElse(0);
            return Math.max(0, most - limit);
        }

        @Override
        public long waitNanos(Answer answer) {
            return answer.tookNanos() - (answer.admitted() ? workNanos : 0);
        }

        private long perhapsInFlight(Answer refused) {
            return answers.stream()
                    .filter(answer -> answer.admitted()
                            && answer.sentNanos() < refused.answeredNanos()
                            && answer.answeredNanos() + RELEASE_NANOS > refused.sentNanos())
                    .count();
        }

        private long surelyInFlight(long nanos) {
            return answers.stream()
                    .filter(answer ->
                            answer.admitted() && surelyFrom(answer) <= nanos && nanos < answer.sentNanos() + workNanos)
                    .count();
        }

        private long surelyFrom(Answer answer) {
            return answer.answeredNanos() - workNanos;
        }
    }
}
