package dev.sluice.benchmarks.fleet.rig;

import java.util.List;

/** A part of the experiment that can be run on its own. */
public interface ExperimentPart {

    /** The titles in this part that contain the given words. */
    List<String> titles(String words);

    /**
     * Plays the items whose titles contain the given words, and prints the results.
     *
     * @return Sluice's targets, with the figures that it reached
     */
    List<Figure> play(String words);
}
