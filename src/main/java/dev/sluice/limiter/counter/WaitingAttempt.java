package dev.sluice.limiter.counter;

import java.util.List;

/** A call that waits: the background tries again in its stead, so that calls are served in the order of their arrival. */
@FunctionalInterface
public interface WaitingAttempt {

    /** Takes all that the call needs, or nothing; returns what it lacks, nothing if it is decided. */
    List<Shortage> tryAgain();
}
