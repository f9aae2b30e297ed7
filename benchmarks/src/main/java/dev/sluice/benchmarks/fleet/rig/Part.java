package dev.sluice.benchmarks.fleet.rig;

import java.util.List;

/** A part of the experiment, which can be run alone. */
public interface Part {

    /** The titles of what is played, given words that it has to have in its title. */
    List<String> titles(String words);

    /**
     * Plays what has these words in its title and prints what came of it.
     *
     * @return what Sluice is to reach in it, and what it reached
     */
    List<Figure> play(String words);
}
