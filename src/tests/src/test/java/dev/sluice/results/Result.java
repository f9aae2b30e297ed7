package dev.sluice.results;

import java.time.LocalDate;
import java.util.List;

/**
 * One measured figure.
 *
 * @param subject the measured work, such as "filter by address"
 * @param contestant the name of the limiter, or two names and a slash for a ratio of the first to the second
 * @param figure the name of the figure, such as "time"
 * @param value the median of the rounds
 * @param unit of the value and its bounds
 * @param rounds the number of rounds
 * @param low the lower bound of the rounds' middle half
 * @param high the upper one
 * @param commit the commit of the measured code
 */
public record Result(
        String subject,
        String contestant,
        String figure,
        double value,
        String unit,
        int rounds,
        double low,
        double high,
        LocalDate date,
        String commit) {

    static final String HEAD = "subject,contestant,figure,value,unit,rounds,low,high,date,commit";

    private static final int COLUMNS = 10;

    /** Refuses words that do not fit into a line of the file. */
    public Result {
        for (String word : List.of(subject, contestant, figure, unit, commit)) {
            if (word.isEmpty() || word.contains(",") || word.contains("\n")) {
                throw new IllegalArgumentException("\"" + word + "\" is empty or has a comma in it");
            }
        }
    }

    static Result parse(String line) {
        String[] cells = line.split(",", -1);
        if (cells.length != COLUMNS) {
            throw new IllegalArgumentException("not the " + COLUMNS + " columns " + HEAD + ": " + line);
        }
        return new Result(
                cells[0],
                cells[1],
                cells[2],
                Double.parseDouble(cells[3]),
                cells[4],
                Integer.parseInt(cells[5]),
                Double.parseDouble(cells[6]),
                Double.parseDouble(cells[7]),
                LocalDate.parse(cells[8]),
                cells[9]);
    }

    boolean measuresTheSameAs(Result other) {
        return subject.equals(other.subject) && contestant.equals(other.contestant) && figure.equals(other.figure);
    }

    /** The line of the file. */
    @Override
    public String toString() {
        return String.join(
                ",",
                subject,
                contestant,
                figure,
                Figures.plain(value),
                unit,
                Integer.toString(rounds),
                Figures.plain(low),
                Figures.plain(high),
                date.toString(),
                commit);
    }
}
