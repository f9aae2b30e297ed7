package dev.sluice.benchmarks.fleet.rig;

import java.util.List;

/** A part of the experiment, which can be run alone. */
public interface ExperimentPart {

    /** The titles that contain these words. */
    List<String> titles(String words);

    /**
     * Plays the items whose titles contain these words, and prints the results.
     *
     * @return the targets of Sluice, with what it reached
     */
    List<Figure> play(String words);
}
