package example;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Shows a product; contains no code for limits. */
@RestController
class ProductController {

    @GetMapping("/product/{number}")
    String product(@PathVariable String number) {
        return "This is product " + number + ".\n";
    }
}
