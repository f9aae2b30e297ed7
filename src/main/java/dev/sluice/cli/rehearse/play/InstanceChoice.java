package dev.sluice.cli.rehearse.play;

import dev.sluice.cli.rehearse.call.LoggedCall;
import java.util.Random;

/** Chooses the instance for a call. Not thread-safe. */
public final class InstanceChoice {

    private static final String HEADER = "header:";

    private final String how;
    private final Random random = new Random(1);
    private int next;

    /**
     * Chooses in one way.
     *
     * @param how {@code in-turn}, {@code random}, {@code ip} or {@code header:NAME}
     */
    public InstanceChoice(String how) {
        this.how = how;
    }

    /** Whether that is a way to choose. */
    public static boolean isWay(String how) {
        return how.equals("in-turn")
                || how.equals("random")
                || how.equals("ip")
                || (how.startsWith(HEADER) && how.length() > HEADER.length());
    }

    int of(LoggedCall call, int instances) {
        if (how.equals("in-turn")) {
            next = (next + 1) % instances;
            return next;
        }
        if (how.equals("random")) {
            return random.nextInt(instances);
        }
        String told = how.equals("ip") ? call.ip() : call.header(how.substring(HEADER.length()));
        int hash = told == null ? 0 : told.hashCode() * 0x9E3779B9;
        return Math.floorMod(hash ^ (hash >>> 15), instances);
    }

    /** For people. */
    String how() {
        return switch (how) {
            case "in-turn" -> "in turn";
            case "random" -> "at random";
            default -> "by " + how;
        };
    }
}
