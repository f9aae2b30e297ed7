package dev.sluice.benchmarks.fleet.rig;

import java.util.List;

/** A part of the experiment that can be run alone. */
public interface ExperimentPart {

    /** The titles that contain the given words. */
    List<String> titles(String words);

    /**
     * Plays the items whose titles contain the given words, and prints the results.
     *
     * @return the targets of Sluice, with the figures that it reached
     */
    List<Figure> play(String words);
}
