package dev.sluice.internal.config.yaml;

import dev.sluice.LimitsException.Problem.Severity;

/**
 * All kinds of problems that a file can have. Codes are stable and never reused. {@code docs/errors.md} explains each
 * of them.
 */
public enum ProblemCode {
    UNREADABLE(101),
    NOT_YAML(102),
    TOO_MUCH(103),
    NOT_A_DURATION(104),
    WRONG_TYPE(105),
    OUT_OF_RANGE(106),
    UNKNOWN_KEY(107),
    DUPLICATE_KEY(108),
    MISSING_KEY(109),
    UNKNOWN_WORD(110),
    EMPTY(111),
    TAG(113),
    VARIABLE(114),
    NOT_TEXT(115),
    BAD_ID(120),
    DUPLICATE_ID(121),
    BAD_METHOD(122),
    BAD_PATTERN(123),
    UNKNOWN_SUBJECT(124),
    UNKNOWN_SOURCE(125),
    UNCAPTURED_VARIABLE(126),
    TOO_MANY_COMBINATIONS(127),
    LISTED_TWICE(128),
    SAME_PERIOD(129),
    UNKNOWN_STORE(130),
    MISPLACED_KEY(131),
    CONTRADICTION(132),
    UNKNOWN_ENDPOINT(133),
    EXCEPTED_LOGIN(134),
    MISUSED_LOGIN(135),
    UNKNOWN_PLAN(136),
    CLIENT_TABLE(137),
    UNKNOWN_COST(140),
    COST_NEVER_PASSES(141),
    UNKNOWN_PLACEHOLDER(142),
    NOT_JSON(143),
    NOT_AN_ADDRESS(145),
    NO_COUNTRIES(146),
    NOT_A_COUNTRY(147),
    NOT_A_TIME(148),
    BLOCKS_OTHERS(149),
    IDENTICAL_ENDPOINTS(151, Severity.WARNING),
    IDLE_TIER(152, Severity.WARNING),
    DOUBTFUL_METHOD(153, Severity.WARNING),
    IDLE_SOURCE(154, Severity.WARNING),
    IDLE_EXCESS(155, Severity.WARNING),
    IDLE_CLIENT(156, Severity.WARNING),
    IDLE_QUEUE(157, Severity.WARNING),
    UNKEYED_SECRET(158, Severity.WARNING),
    DOUBTFUL_PERIOD(159, Severity.WARNING),
    DOUBTFUL_PATTERN(160, Severity.WARNING),
    SHARE_BELOW_ONE(161, Severity.WARNING),
    IDLE_PATTERN(162, Severity.WARNING),
    ALL_EXCEPTED(163, Severity.WARNING),
    UNUSED_PLAN(164, Severity.WARNING),
    HASH_OF_NO_SECRET(165, Severity.WARNING),
    COUNT_ON_ALL_PATHS(166, Severity.WARNING),
    NAMELESS_CLIENTS(167, Severity.WARNING),
    CUT_HASH(168, Severity.WARNING),
    LARGE_LOG(169, Severity.WARNING),
    SAME_POLICY(170, Severity.WARNING),
    AND_MORE_WARNINGS(198, Severity.WARNING),
    AND_MORE(199);

    private final int number;
    private final Severity severity;

    ProblemCode(int number) {
        this(number, Severity.ERROR);
    }

    ProblemCode(int number, Severity severity) {
        this.number = number;
        this.severity = severity;
    }

    /** Returns the code as messages show it, for example {@code SL-104}. */
    public String text() {
        return "SL-" + number;
    }

    public Severity severity() {
        return severity;
    }
}
